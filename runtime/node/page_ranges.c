/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps lie in lists by size, the last one that came about first: what is taken and given back again and again
 * gets the same place, which peers still have mapped. A range of a class above the wanted one fits whatever
 * it is; of its own class a few are tried. */
#include "runtime/node/page_ranges.h"

#include <stdlib.h>

#define TRIED 8

static int class_of(uint64_t pages)
{
    return 63 - __builtin_clzll(pages);
}

static void enter_gap(tti_page_ranges *ranges, tti_page_range *range)
{
    const int c = class_of(range->pages);
    range->taken = false;
    tti_list_append(ranges->gaps[c].next, &range->gap); /* in front */
    ranges->filled |= UINT64_C(1) << c;
}

static void leave_gap(tti_page_ranges *ranges, tti_page_range *range)
{
    const int c = class_of(range->pages);
    tti_list_remove(&range->gap);
    if (tti_list_empty(&ranges->gaps[c])) ranges->filled &= ~(UINT64_C(1) << c);
}

static tti_page_range *find_gap(tti_page_ranges *ranges, uint64_t pages)
{
    const int own = class_of(pages);
    const tti_link *head = &ranges->gaps[own];
    tti_link *at = head->next;
    for (int i = 0; i < TRIED && at != head; i++, at = at->next) {
        tti_page_range *range = TTI_OWNER(at, tti_page_range, gap);
        if (range->pages >= pages) return range;
    }
    const uint64_t above = ranges->filled & ~((UINT64_C(2) << own) - 1);
    if (above == 0) return NULL;
    return TTI_OWNER(ranges->gaps[__builtin_ctzll(above)].next, tti_page_range, gap);
}

/* Its first pages become a range of their own. */
static void cut(tti_page_ranges *ranges, tti_page_range *gap, tti_page_range *made, uint64_t pages)
{
    leave_gap(ranges, gap);
    made->first = gap->first;
    tti_list_append(&gap->place, &made->place);
    gap->first += pages;
    gap->pages -= pages;
    if (gap->pages > 0) {
        enter_gap(ranges, gap);
        return;
    }
    tti_list_remove(&gap->place);
    free(gap);
}

tti_page_range *tti_page_range_take(tti_page_ranges *ranges, uint64_t pages)
{
    tti_page_range *made = calloc(1, sizeof *made), *gap;
    if (made == NULL) return NULL;
    made->pages = pages;
    made->taken = true;
    tti_list_init(&made->gap);
    gap = find_gap(ranges, pages);
    if (gap != NULL) {
        cut(ranges, gap, made, pages);
        return made;
    }
    made->first = ranges->end;
    ranges->end += pages;
    tti_list_append(&ranges->places, &made->place);
    return made;
}

/* The gap at this place of the list, off its class; NULL: there is none. */
static tti_page_range *gap_at(tti_page_ranges *ranges, tti_link *at)
{
    tti_page_range *range = TTI_OWNER(at, tti_page_range, place);
    if (at == &ranges->places || range->taken) return NULL;
    leave_gap(ranges, range);
    return range;
}

static void join(tti_page_range *range, tti_page_range *gone)
{
    if (gone == NULL) return;
    if (gone->first < range->first) range->first = gone->first;
    range->pages += gone->pages;
    tti_list_remove(&gone->place);
    free(gone);
}

/* With the gaps beside it; one at the end is none. */
void tti_page_range_give(tti_page_ranges *ranges, tti_page_range *range)
{
    join(range, gap_at(ranges, range->place.prev));
    join(range, gap_at(ranges, range->place.next));
    if (range->place.next != &ranges->places) {
        enter_gap(ranges, range);
        return;
    }
    ranges->end = range->first;
    tti_list_remove(&range->place);
    free(range);
}

void tti_page_ranges_open(tti_page_ranges *ranges)
{
    *ranges = (tti_page_ranges){.end = 0};
    tti_list_init(&ranges->places);
    for (int c = 0; c < TTI_PAGE_CLASSES; c++)
        tti_list_init(&ranges->gaps[c]);
}

void tti_page_ranges_close(tti_page_ranges *ranges)
{
    while (!tti_list_empty(&ranges->places)) {
        tti_page_range *range = TTI_OWNER(ranges->places.next, tti_page_range, place);
        tti_list_remove(&range->place);
        free(range);
    }
}
