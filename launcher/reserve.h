/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that may take the places of dead ranks: spares, which were started with the ranks and sleep,
 * and such as are started when they are needed. Who gets which is decided here, in one place, so that claims
 * of several communicators do not meet.
 *
 * Survivors who restore a communicator all make the same claim: it bears the number (context) of the
 * communicator that is to be. The first of them is decided on; the others, and the process that was claimed,
 * get the same answer. A claim that did not come to its end, since more have died, is made again under
 * another number in the place of the first, which gives back what it had got. One that no other follows, as
 * the communicator could not be made, each of them gives back.
 *
 * No PMIx here. Any thread: PMIx's asks, the launcher's own tells of deaths. */
#ifndef TTI_LAUNCHER_RESERVE_H
#define TTI_LAUNCHER_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tti_reserve_state {
    TTI_RESERVE_NONE,   /* a rank of the job from its beginning */
    TTI_RESERVE_UNBORN, /* can be started */
    TTI_RESERVE_FREE,   /* runs, and waits until it is needed */
    TTI_RESERVE_CLAIMED,
    TTI_RESERVE_IN_USE, /* it has asked what for it was claimed: it is a rank */
    TTI_RESERVE_DEAD
};

/* Processes are numbered: ranks of the job 0 … world-1, then spares, then those that may be started. `wake`
 * is an eventfd that tells of births. `program_of` is of ranks and spares: who takes another's place runs the
 * same program. False: no memory. */
bool tti_reserve_open(int world, int spares, int respawn, const int *program_of, int wake);
void tti_reserve_close(void);

/* Puts the answer to what process `asker` asks into *answer, which the caller frees. False: it is no such
 * question, or memory is out. */
bool tti_reserve_ask(int asker, const void *question, size_t bytes, void **answer, size_t *answer_bytes);
/* The claim of that context came to nothing: what it had is free for the next one. Who asks for it only now
 * gets nothing. */
void tti_reserve_return(uint64_t context);
/* The same as asking for the claim that took a process; false: none has. */
bool tti_reserve_call_of(int process, void **answer, size_t *answer_bytes);

/* The next process that is to be started, and in whose place; false: none is. */
bool tti_reserve_next_birth(int *process, int *place);
void tti_reserve_died(int process);
enum tti_reserve_state tti_reserve_state_of(int process);
/* In whose place it is, or was claimed to be; -1: in none's. */
int tti_reserve_place_of(int process);

#endif
