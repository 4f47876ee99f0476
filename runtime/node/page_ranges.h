/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pages of a file are whose: ranges that are taken, and gaps. Taking and giving back takes as long with
 * many of them as with few. */
#ifndef TTI_NODE_PAGE_RANGES_H
#define TTI_NODE_PAGE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/list.h"
#include "runtime/base/span.h"

/* By number of pages: class c has gaps of 2^c to 2^(c + 1) - 1. */
#define TTI_PAGE_CLASSES 64

typedef struct {
    tti_span span;  /* first; the taker's: where it is mapped */
    tti_link place; /* among all, in the order of the file */
    tti_link gap;   /* among the gaps of its class */
    uint64_t first, pages;
    bool taken;
} tti_page_range;

typedef struct {
    tti_link places;
    tti_link gaps[TTI_PAGE_CLASSES];
    uint64_t filled; /* a bit for each class that has gaps */
    uint64_t end;    /* behind the last range that is taken */
} tti_page_ranges;

void tti_page_ranges_open(tti_page_ranges *ranges);
/* What is still taken goes, too. */
void tti_page_ranges_close(tti_page_ranges *ranges);
/* NULL without memory. */
tti_page_range *tti_page_range_take(tti_page_ranges *ranges, uint64_t pages);
void tti_page_range_give(tti_page_ranges *ranges, tti_page_range *range);

#endif
