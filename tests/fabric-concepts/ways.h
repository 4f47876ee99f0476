/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: each gives microseconds, or less than 0 where it failed. */
#ifndef TESTS_FABRIC_CONCEPTS_WAYS_H
#define TESTS_FABRIC_CONCEPTS_WAYS_H

#include "side.h"

double way_latency(const concept_settings *asked); /* half a round trip */
double way_message(const concept_settings *asked); /* one of a burst one way */
/* Puts into the other's memory, and then sure that they are there: FLUSHED of them. `way` 0: writes and their
 * completions; 1: writes and a counter; 2: messages that the other copies, and an answer. */
double way_flush(const concept_settings *asked);
/* One fetch-and-add: `way` 0: fi_fetch_atomic; 1: a message and its answer. */
double way_add(const concept_settings *asked);
/* Two threads that send: `way` 0: one endpoint, a lock; 1: one endpoint, FI_THREAD_SAFE; 2: an endpoint
 * each. Microseconds a message. */
double way_threads(const concept_settings *asked);
/* Of one process: an address inserted, `way` at a time; memory registered and not. */
double way_insert(const concept_settings *asked);
double way_register(const concept_settings *asked);
/* KiB that an address vector of ADDRESSES takes of a process; `way` 1: one for all processes. */
double way_addresses(const concept_settings *asked);

#endif
