/* SPDX-License-Identifier: BSD-3-Clause */
/* What recovery.c asks of a library that survives its ranks: of Tutti (recovery_tutti.c), and of an MPI with
 * ULFM (recovery_mpi.c). All on one communicator, of which the dead go; whatever else fails ends the job. */
#ifndef BENCH_RECOVERY_PORT_H
#define BENCH_RECOVERY_PORT_H

#include <stddef.h>
#include <stdint.h>

void port_open(int *argc, char ***argv);
void port_close(void);
int port_rank(void);
int port_size(void);
/* From rank 0. */
void port_bcast(void *buf, size_t bytes);
/* The largest of all. */
int64_t port_allreduce(int64_t mine);
void port_agree(void);
/* Returns when `rank`, which sends nothing, is known to be dead. */
void port_await_death(int rank);
void port_shrink(void);

#endif
