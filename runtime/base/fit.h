/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for people that have to fit into so much room: where they are cut, a mark says so. */
#ifndef TTI_FIT_H
#define TTI_FIT_H

#include <stddef.h>

/* Puts the mark at the end of a text of room - 1 bytes, in place of the last ones, and of the character that
 * they may be in the middle of. */
void tti_fit_mark(char *text, size_t room);
/* Copies `whole`, with the mark where it has to be cut; `room` is 4 bytes at the least. */
void tti_fit(char *text, size_t room, const char *whole);

#endif
