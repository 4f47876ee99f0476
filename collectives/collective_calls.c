/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions, three forms each. */
#include "tutti/collectives.h"

#include "collectives/call.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

static const tti_request_kind ibarrier = {"tutti_ibarrier", NULL, NULL, tti_call_release, tti_run_awaits};
static const tti_request_kind ibcast = {"tutti_ibcast", NULL, NULL, tti_call_release, tti_run_awaits};
static const tti_request_kind ireduce = {"tutti_ireduce", NULL, NULL, tti_call_release, tti_run_awaits};
static const tti_request_kind iallreduce = {"tutti_iallreduce", NULL, NULL, tti_call_release, tti_run_awaits};
static const tti_request_kind iallgather = {"tutti_iallgather", NULL, NULL, tti_call_release, tti_run_awaits};
static const tti_request_kind barrier_init = {"tutti_barrier_init", tti_call_start, NULL, tti_call_release,
                                              tti_run_awaits};
static const tti_request_kind bcast_init = {"tutti_bcast_init", tti_call_start, NULL, tti_call_release,
                                            tti_run_awaits};
static const tti_request_kind reduce_init = {"tutti_reduce_init", tti_call_start, NULL, tti_call_release,
                                             tti_run_awaits};
static const tti_request_kind allreduce_init = {"tutti_allreduce_init", tti_call_start, NULL,
                                                tti_call_release, tti_run_awaits};
static const tti_request_kind allgather_init = {"tutti_allgather_init", tti_call_start, NULL,
                                                tti_call_release, tti_run_awaits};

TTI_HOT int tutti_barrier(tutti_comm *comm)
{
    tti_call call;
    return tti_answer(tti_call_block(tti_call_barrier(&call, "tutti_barrier", comm), &call));
}

int tutti_ibarrier(tutti_comm *comm, tutti_request **request)
{
    tti_call call;
    return tti_answer(
        tti_call_request(tti_call_barrier(&call, ibarrier.name, comm), &call, &ibarrier, request));
}

int tutti_barrier_init(tutti_comm *comm, tutti_request **request)
{
    tti_call call;
    return tti_answer(
        tti_call_request(tti_call_barrier(&call, barrier_init.name, comm), &call, &barrier_init, request));
}

TTI_HOT int tutti_bcast(tutti_comm *comm, void *buf, size_t bytes, int root)
{
    tti_call call;
    return tti_answer(tti_call_block(tti_call_bcast(&call, "tutti_bcast", comm, buf, bytes, root), &call));
}

int tutti_ibcast(tutti_comm *comm, void *buf, size_t bytes, int root, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_bcast(&call, ibcast.name, comm, buf, bytes, root);
    return tti_answer(tti_call_request(checked, &call, &ibcast, request));
}

int tutti_bcast_init(tutti_comm *comm, void *buf, size_t bytes, int root, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_bcast(&call, bcast_init.name, comm, buf, bytes, root);
    return tti_answer(tti_call_request(checked, &call, &bcast_init, request));
}

TTI_HOT int tutti_reduce(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                         tutti_op *op, int root)
{
    tti_call call;
    const int checked = tti_call_reduce(&call, "tutti_reduce", comm, send, recv, count, type, op, root);
    return tti_answer(tti_call_block(checked, &call));
}

int tutti_ireduce(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type, tutti_op *op,
                  int root, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_reduce(&call, ireduce.name, comm, send, recv, count, type, op, root);
    return tti_answer(tti_call_request(checked, &call, &ireduce, request));
}

int tutti_reduce_init(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                      tutti_op *op, int root, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_reduce(&call, reduce_init.name, comm, send, recv, count, type, op, root);
    return tti_answer(tti_call_request(checked, &call, &reduce_init, request));
}

TTI_HOT int tutti_allreduce(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                            tutti_op *op)
{
    tti_call call;
    const int checked = tti_call_allreduce(&call, "tutti_allreduce", comm, send, recv, count, type, op);
    return tti_answer(tti_call_block(checked, &call));
}

int tutti_iallreduce(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                     tutti_op *op, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_allreduce(&call, iallreduce.name, comm, send, recv, count, type, op);
    return tti_answer(tti_call_request(checked, &call, &iallreduce, request));
}

int tutti_allreduce_init(tutti_comm *comm, const void *send, void *recv, size_t count, tutti_type type,
                         tutti_op *op, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_allreduce(&call, allreduce_init.name, comm, send, recv, count, type, op);
    return tti_answer(tti_call_request(checked, &call, &allreduce_init, request));
}

TTI_HOT int tutti_allgather(tutti_comm *comm, const void *send, void *recv, size_t bytes)
{
    tti_call call;
    return tti_answer(
        tti_call_block(tti_call_allgather(&call, "tutti_allgather", comm, send, recv, bytes), &call));
}

int tutti_iallgather(tutti_comm *comm, const void *send, void *recv, size_t bytes, tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_allgather(&call, iallgather.name, comm, send, recv, bytes);
    return tti_answer(tti_call_request(checked, &call, &iallgather, request));
}

int tutti_allgather_init(tutti_comm *comm, const void *send, void *recv, size_t bytes,
                         tutti_request **request)
{
    tti_call call;
    const int checked = tti_call_allgather(&call, allgather_init.name, comm, send, recv, bytes);
    return tti_answer(tti_call_request(checked, &call, &allgather_init, request));
}
