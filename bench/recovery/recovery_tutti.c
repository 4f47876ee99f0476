/* SPDX-License-Identifier: BSD-3-Clause */
#include <tutti/tutti.h>

#include "bench/recovery/recovery_port.h"

static tutti_comm *world, *comm;

void port_open(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    TUTTI_CHECK(tutti_init(&world, NULL));
    comm = world;
}

void port_close(void)
{
    TUTTI_CHECK(tutti_finalize());
}

int port_rank(void)
{
    return tutti_comm_rank(comm);
}

int port_size(void)
{
    return tutti_comm_size(comm);
}

void port_bcast(void *buf, size_t bytes)
{
    TUTTI_CHECK(tutti_bcast(comm, buf, bytes, 0));
}

int64_t port_allreduce(int64_t mine)
{
    int64_t all = 0;
    TUTTI_CHECK(tutti_allreduce(comm, &mine, &all, 1, TUTTI_INT64, TUTTI_MAX));
    return all;
}

void port_agree(void)
{
    uint64_t flags = 1;
    TUTTI_CHECK(tutti_comm_agree(comm, &flags));
}

void port_await_death(int rank)
{
    const int code = tutti_recv(comm, NULL, 0, rank, 0, NULL);
    if (code != TUTTI_ERR_PEER_FAILED) TUTTI_CHECK(code);
}

void port_shrink(void)
{
    tutti_comm *survivors;
    TUTTI_CHECK(tutti_comm_shrink(comm, &survivors));
    if (comm != world) TUTTI_CHECK(tutti_comm_free(&comm));
    comm = survivors;
}
