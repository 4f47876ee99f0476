/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the messages that this rank sends to ranks of its host, and to others: each passes through the
 * wrapper below. Of a program that is linked with --wrap=tti_p2p_send. */
#ifndef TESTS_JOB_INSIDE_H
#define TESTS_JOB_INSIDE_H

#include "pmi/pmi.h"
#include "runtime/p2p/p2p.h"

static long inside, outside;

/* The names are the linker's. */
int __real_tti_p2p_send(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, enum tti_p2p_mode mode,
                        const void *buf, size_t bytes, int dest, int tag);
int __wrap_tti_p2p_send(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, enum tti_p2p_mode mode,
                        const void *buf, size_t bytes, int dest, int tag);
int __wrap_tti_p2p_send(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, enum tti_p2p_mode mode,
                        const void *buf, size_t bytes, int dest, int tag)
{
    const bool here = tti_pmi_node_of(tti_comm_job_rank(comm, dest)) ==
                      tti_pmi_node_of(tti_comm_job_rank(comm, comm->rank));
    *(here ? &inside : &outside) += 1;
    return __real_tti_p2p_send(op, comm, space, mode, buf, bytes, dest, tag);
}

#endif
