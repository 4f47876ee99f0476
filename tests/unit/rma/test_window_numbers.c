/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows' numbers begin anew behind the last one of 32 bits: none is given out twice at a time, and what
 * others still say of one from before is of a window that there was. */
#include "runtime/rma/window_table.c" /* to begin near the last number */
#include "tests/unit/expect.h"

#define WINDOWS 5

int main(void)
{
    static const uint32_t expected[WINDOWS] = {1, UINT32_MAX - 1, UINT32_MAX, 2, 3};
    static tutti_window windows[WINDOWS];
    for (int i = 0; i < WINDOWS; i++) {
        tti_rma_window_enter(&windows[i]);
        EXPECT(windows[i].number == expected[i]);
        EXPECT(tti_rma_window(expected[i]) == &windows[i]);
        if (i == 0) last_number = UINT32_MAX - 2;
        EXPECT(!tti_rma_window_was(0) && tti_rma_window_was(1) && tti_rma_window_was(last_number));
        EXPECT(tti_rma_window_was(UINT32_MAX) == (i >= 2));
    }
    tti_list_remove(&windows[4].link);
    tti_rma_window_enter(&windows[4]);
    EXPECT(windows[4].number == 4); /* not one that was freed just now */
    return 0;
}
