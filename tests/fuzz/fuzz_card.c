/* SPDX-License-Identifier: BSD-3-Clause */
/* The address card: what is accepted must be written again as it was. */
#include <stdlib.h>
#include <string.h>

#include "runtime/fabric/card.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tti_card card;
    if (size > TTI_CARD_MAX || tti_card_read(&card, data, size, "0.1.0", 1) < 0) return 0;
    uint8_t again[TTI_CARD_MAX];
    const int bytes = tti_card_write(&card, again, sizeof again);
    if (bytes < 0 || (size_t)bytes != size || memcmp(again, data, size) != 0) abort();
    char text[600];
    tti_interface_print_list(&card.candidates, text, sizeof text);
    return 0;
}
