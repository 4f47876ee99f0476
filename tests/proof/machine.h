/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes schedules, byte by byte, in orders drawn at random: an argument for or against a schedule that
 * knows nothing of the checker's ways. Steps of all ranks come in any order that their dependencies allow; a
 * message is taken at once or when it is received; and what a rank writes to its WINDOW, or where it shows
 * its buffers, another sees early, late or torn, until it has awaited, or heard by a message of, a post made
 * after the write. Before it has awaited a rank's beginning, and once that has ended, it finds garbage in
 * buffers. */
#ifndef TESTS_PROOF_MACHINE_H
#define TESTS_PROOF_MACHINE_H

#include "collectives/contract/contract.h"

typedef struct {
    enum tti_collective collective;
    const tti_shape *shape;
    tti_schedule *const *schedules; /* [shape->size], of a form that the checker accepts */
} machine_job;

/* Whether each of `runs` executions ended, with what the contract promises in every rank's OUTPUT; where the
 * collective is a meeting, also whether nobody leaves while one rank has not come. */
bool machine_right(const machine_job *job, int runs, uint64_t seed);

#endif
