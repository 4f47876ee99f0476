/* SPDX-License-Identifier: BSD-3-Clause */
/* Deaths of other ranks, which flow survives with --keep. A rank that meets one goes on with its steps,
 * though they are worth nothing any more, so that its neighbours need not wait for it; where the state is to
 * be kept all agree on whether it is sound, and if not they begin again from what was kept last: those that
 * live, and newcomers in the places of the dead, if tuttirun has some (--spares, --respawn). */
#ifndef FLOW_SURVIVE_H
#define FLOW_SURVIVE_H

#include <stdbool.h>
#include <tutti/tutti.h>

/* From now on calls that need a dead rank do not end the job. */
void survive_deaths(void);
/* A call returned `code`: another error than such a one ends the job. */
void bear_code(const char *call, int code);
#define BEAR(call) bear_code(#call, (call))
/* Whether such a call has failed since the last regroup(). */
bool is_broken(void);

/* Collective. True at every rank if `good` was at every rank, and none has died. */
bool all_agree(tutti_comm *comm, bool good);
/* Collective. A communicator without dead ranks for `comm`, which is freed unless it is the world: of the old
 * size, if tuttirun has others for their places, else of those that live. */
tutti_comm *regroup(tutti_comm *comm, tutti_comm *world);

#endif
