/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with the arguments of a collective call: each makes the detail, and returns the code. */
#ifndef TTI_CALLS_CALL_WRONG_H
#define TTI_CALLS_CALL_WRONG_H

#include "collectives/calls/call.h"

int tti_call_wrong_root(const tti_call *call, int root);
int tti_call_wrong_count(const char *function, size_t count, size_t element);
int tti_call_wrong_buffer(const tti_call *call, const void *buffer, const char *which, size_t bytes);
int tti_call_wrong_overlap(const tti_call *call);
int tti_call_wrong_comm(const char *function);
int tti_call_wrong_neighbours(const tti_call *call);

#endif
