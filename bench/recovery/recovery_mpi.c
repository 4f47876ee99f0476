/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
#include <mpi.h>
#include <mpi-ext.h> /* behind it */
/* clang-format on */
#include <stdio.h>
#include <stdlib.h>

#include "bench/recovery/recovery_port.h"

static MPI_Comm comm;

static void check(int code, const char *call)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", call, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}
#define CHECK(call) check((call), #call)

void port_open(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    comm = MPI_COMM_WORLD;
    CHECK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
}

void port_close(void)
{
    MPI_Finalize();
}

int port_rank(void)
{
    int rank;
    CHECK(MPI_Comm_rank(comm, &rank));
    return rank;
}

int port_size(void)
{
    int size;
    CHECK(MPI_Comm_size(comm, &size));
    return size;
}

void port_bcast(void *buf, size_t bytes)
{
    CHECK(MPI_Bcast(buf, (int)bytes, MPI_BYTE, 0, comm));
}

int64_t port_allreduce(int64_t mine)
{
    int64_t all = 0;
    CHECK(MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_MAX, comm));
    return all;
}

void port_agree(void)
{
    int flags = 1;
    CHECK(MPIX_Comm_agree(comm, &flags));
}

void port_await_death(int rank)
{
    int class;
    const int code = MPI_Recv(NULL, 0, MPI_BYTE, rank, 0, comm, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    if (class != MPIX_ERR_PROC_FAILED) check(code, "MPI_Recv");
}

void port_shrink(void)
{
    MPI_Comm survivors;
    CHECK(MPIX_Comm_shrink(comm, &survivors));
    CHECK(MPI_Comm_set_errhandler(survivors, MPI_ERRORS_RETURN));
    if (comm != MPI_COMM_WORLD) CHECK(MPI_Comm_free(&comm));
    comm = survivors;
}
