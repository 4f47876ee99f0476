/* SPDX-License-Identifier: BSD-3-Clause */
/* What the target does about the messages of operations on a window. */
#ifndef TTI_RMA_TARGET_H
#define TTI_RMA_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* What came, and how the answer goes. */
bool tti_rma_request_arrived(int job_rank, const void *payload, size_t bytes);

#endif
