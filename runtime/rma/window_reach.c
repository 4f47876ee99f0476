/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/rma/window_reach.h"

#include <inttypes.h>

#include "runtime/base/status.h"
#include "runtime/node/arena.h"
#include "runtime/node/single_copy.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/rma/rma_op.h"

/* Of a rank on this node, whose part can be mapped. */
static int map_part(tutti_window *window, int target, int node_index)
{
    tti_rma_peer_state *state = &window->states[target];
    const tti_rma_part *part = tti_rma_part_of(window, target);
    void *base;
    if (state->mapped) return 0;
    const int code = tti_node_mem_map(tti_ways_node(), node_index, part->memory, &base);
    if (code < 0) return code;
    state->direct = (char *)base + part->memory_offset;
    state->mapped = true;
    return 0;
}

static enum tti_rma_way find_way(tutti_window *window, int target)
{
    if (target == window->comm->rank) {
        window->states[target].direct = window->base;
        return TTI_RMA_DIRECT;
    }
    const int node_index = tti_ways_node_index(tti_comm_job_rank(window->comm, target));
    if (node_index >= 0) {
        if (tti_rma_part_of(window, target)->memory != 0 && map_part(window, target, node_index) == 0)
            return TTI_RMA_DIRECT;
        return tti_node_can_read(tti_ways_node(), node_index) ? TTI_RMA_COPY : TTI_RMA_MESSAGES;
    }
    return tti_rma_part_of(window, target)->exposed && tti_ways_fabric() != NULL ? TTI_RMA_FABRIC
                                                                                 : TTI_RMA_MESSAGES;
}

enum tti_rma_way tti_rma_way_to(tutti_window *window, int target)
{
    tti_rma_peer_state *state = &window->states[target];
    if (state->way == TTI_RMA_UNKNOWN) state->way = (uint8_t)find_way(window, target);
    return state->way;
}

int tti_rma_direct(const char *call, tutti_window *window, int target, void **pointer)
{
    const tti_rma_peer_state *state = &window->states[target];
    if (target == window->comm->rank) {
        *pointer = window->base;
        return 0;
    }
    const int node_index = tti_ways_node_index(tti_comm_job_rank(window->comm, target));
    if (state->ended)
        return tti_fail(TUTTI_ERR_UNSUPPORTED, "%s: rank %d has ended its part, as a rank has died", call,
                        target);
    if (node_index < 0 || tti_rma_part_of(window, target)->memory == 0)
        return tti_fail(TUTTI_ERR_UNSUPPORTED,
                        "%s: rank %d is not on this node, or its part is not from tutti_mem_alloc()", call,
                        target);
    const int code = map_part(window, target, node_index);
    if (code == 0) *pointer = state->direct;
    return code == TUTTI_ERR_SYSTEM ? TUTTI_ERR_UNSUPPORTED : code; /* the kernel does not let this rank */
}

int tti_rma_check(const char *call, const tutti_window *window, int target, size_t offset, size_t bytes,
                  const void *local)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    if (window == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: window is NULL", call);
    if (target == TUTTI_PROC_NULL) return 0;
    if (target < 0 || target >= window->comm->size)
        return tti_fail(TUTTI_ERR_RANK, "%s: target %d is not in 0 … %d", call, target,
                        window->comm->size - 1);
    if (local == NULL && bytes > 0) return tti_fail(TUTTI_ERR_ARG, "%s: a local buffer is NULL", call);
    if (window->comm->revoked) return tti_comm_check_revoked(window->comm);
    if (tti_lost_is_dead(tti_comm_job_rank(window->comm, target)))
        return tti_rma_explain(call, window, target, TUTTI_ERR_PEER_FAILED);
    const uint64_t room = tti_rma_part_of(window, target)->bytes;
    if (offset <= room && bytes <= room - offset) return 0;
    return tti_fail(TUTTI_ERR_ARG,
                    "%s: %zu bytes at offset %zu are beyond the window of rank %d, %" PRIu64 " bytes", call,
                    bytes, offset, target, room);
}
