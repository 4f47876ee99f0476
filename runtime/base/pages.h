/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory, before they are touched. */
#ifndef TTI_BASE_PAGES_H
#define TTI_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Gives and maps the pages of memory that is about to be written, where the kernel can: a fault for each
 * takes several times as long. */
void tti_pages_ready(const void *at, size_t bytes);
/* Reads something of each page, for the kernel to back them: writing would destroy what they hold. Where that
 * cannot be the process gets its signal. */
void tti_pages_read(const void *at, size_t bytes);
/* Whether something is mapped at every page of the memory; whether it may be read there is not asked. */
bool tti_pages_mapped(const void *at, size_t bytes);
/* The same of its first and its last page. */
bool tti_pages_mapped_at_ends(const void *at, size_t bytes);

#endif
