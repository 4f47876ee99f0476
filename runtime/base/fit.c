/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/fit.h"

#include <stdio.h>
#include <string.h>

void tti_fit_mark(char *text, size_t room)
{
    static const char mark[] = "…";
    size_t at = room - sizeof mark;
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    memcpy(text + at, mark, sizeof mark);
}

void tti_fit(char *text, size_t room, const char *whole)
{
    if ((size_t)snprintf(text, room, "%s", whole) >= room) tti_fit_mark(text, room);
}
