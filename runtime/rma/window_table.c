/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows that there are, and how they are found: by number, or by the memory under them. */
#include "runtime/rma/window_table.h"

tti_link tti_rma_windows = {&tti_rma_windows, &tti_rma_windows};
static uint32_t last_number; /* of those given out; 0 is nobody's */
static bool all_given;       /* each number has been, once: what is free is given again */

void tti_rma_window_enter(tutti_window *window)
{
    do {
        all_given = all_given || last_number == UINT32_MAX;
        last_number++;
    } while (last_number == 0 || tti_rma_window(last_number) != NULL);
    window->number = last_number;
    tti_list_append(&tti_rma_windows, &window->link);
}

bool tti_rma_window_was(uint32_t number)
{
    return number > 0 && (all_given || number <= last_number);
}

tutti_window *tti_rma_window(uint32_t number)
{
    for (tti_link *at = tti_rma_windows.next; at != &tti_rma_windows; at = at->next) {
        tutti_window *window = TTI_OWNER(at, tutti_window, link);
        if (window->number == number) return window;
    }
    return NULL;
}

tutti_window *tti_rma_window_of(int job_rank, uint32_t number, int *rank)
{
    for (tti_link *at = tti_rma_windows.next; at != &tti_rma_windows; at = at->next) {
        tutti_window *window = TTI_OWNER(at, tutti_window, link);
        *rank = tti_comm_rank_of(window->comm, job_rank);
        if (*rank >= 0 && tti_rma_part_of(window, *rank)->window == number) return window;
    }
    return NULL;
}

bool tti_rma_memory_in_use(const char *base, size_t bytes)
{
    for (tti_link *at = tti_rma_windows.next; at != &tti_rma_windows; at = at->next) {
        const tutti_window *window = TTI_OWNER(at, tutti_window, link);
        if (window->bytes > 0 && window->base < base + bytes && base < window->base + window->bytes)
            return true;
    }
    return false;
}
