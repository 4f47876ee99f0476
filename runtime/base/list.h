/* SPDX-License-Identifier: BSD-3-Clause */
/* Intrusive doubly linked list with a sentinel: embed a tti_link, recover the owner with TTI_OWNER. No locks,
 * no allocation; a link that is on no list is self-linked or never used. */
#ifndef TTI_BASE_LIST_H
#define TTI_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tti_link {
    struct tti_link *next, *prev;
} tti_link;

#define TTI_OWNER(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

static inline void tti_list_init(tti_link *head)
{
    head->next = head->prev = head;
}

static inline bool tti_list_empty(const tti_link *head)
{
    return head->next == head;
}

static inline void tti_list_append(tti_link *head, tti_link *link)
{
    link->prev = head->prev;
    link->next = head;
    head->prev->next = link;
    head->prev = link;
}

/* Leaves the link self-linked, so removing twice is harmless. */
static inline void tti_list_remove(tti_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
    link->next = link->prev = link;
}

/* Moves all that is on `from` to `to`, which is set up. */
static inline void tti_list_take(tti_link *from, tti_link *to)
{
    tti_list_init(to);
    if (tti_list_empty(from)) return;
    *to = *from;
    to->next->prev = to->prev->next = to;
    tti_list_init(from);
}

#endif
