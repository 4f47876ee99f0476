/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of tutti_mem_alloc(). Under the lock. */
#ifndef TTI_RMA_MEMORY_H
#define TTI_RMA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If all of it lies in memory of tutti_mem_alloc() that peers can map: its id and the place in it. */
bool tti_rma_memory_find(const char *base, size_t bytes, uint64_t *id, uint64_t *offset);
void tti_rma_memory_close(void);

#endif
