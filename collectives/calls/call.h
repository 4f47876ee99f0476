/* SPDX-License-Identifier: BSD-3-Clause */
/* The three forms of a collective call. */
#ifndef TTI_CALLS_CALL_H
#define TTI_CALLS_CALL_H

#include "collectives/calls/by_schedule.h"

/* Executes a call; `checked` is the result of the check, returned if it is an error. */
int tti_call_block(int checked, const tti_call *call);
/* The same, under the lock, for a part of the public function of the call's name. */
int tti_call_block_part(int checked, const tti_call *call);

/* Starts it (or, where the kind has a start, only makes the persistent request). */
int tti_call_request(int checked, const tti_call *call, const tti_request_kind *kind,
                     tutti_request **request);

/* The functions of the kinds. */
int tti_call_start(tutti_request *request);
void tti_call_release(tutti_request *request);

#endif
