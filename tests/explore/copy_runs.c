/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that two share (runtime/node/shared_copy.c), of two chunks each: rank 0 reads, rank 1 helps, in
 * time, late or never. The kernel's part is memcpy() here, and it may refuse. When the reader is
 * through, all is there, and as soon as it writes to that memory itself nobody else may. */
#include <string.h>

#include "runtime/node/shared_copy.h"
#include "tests/explore/memory.h"
#include "tests/explore/node_views.h"
#include "tests/explore/outside.h"
#include "tests/explore/races.h"
#include "tests/explore/scenarios.h"
#include "tutti/error.h"

#define READER 0
#define HELPER 1
#define COPIES 2
#define BYTES (2 * (size_t)TTI_NODE_PAGE)

static unsigned char source[BYTES], target[BYTES];
static _Atomic uint32_t offered[COPIES]; /* serial of each copy, once it has begun */
static bool may_refuse;

/* What shared_copy.c and node_windows.c call for deaths. */
bool explore_node_has_ended(tti_node *node, int peer);

bool explore_node_has_ended(tti_node *node, int peer)
{
    (void)node;
    if (run_dead() != peer) return false;
    memory->fence(peer, memory_order_seq_cst); /* all that it had stored is there by then */
    return true;
}

static void read_copy(tti_node *node, int copy)
{
    const uint32_t serial = tti_node_share_begin(node);
    atomic_store(&offered[copy], serial);
    const int code = tti_node_share_read(node, HELPER, (uintptr_t)source, target, BYTES);
    RUN_EXPECT(code == 0 || (code == TUTTI_ERR_PEER_FAILED && run_dead() == HELPER) ||
               (code == TUTTI_ERR_UNSUPPORTED && may_refuse));
    for (size_t i = 0; code == 0 && i < BYTES; i += 64)
        RUN_EXPECT(target[i] == source[i]);
    memset(target, 0, BYTES);
}

/* Not for a reader that has died: it offers nothing. */
static void help_copy(tti_node *node, int copy)
{
    while (atomic_load(&offered[copy]) == 0) {
        if (run_dead() == READER) return;
        explore_pause();
    }
    tti_node_share_help(node, READER, atomic_load(&offered[copy]), (uintptr_t)target, source, BYTES);
}

static void body(int rank)
{
    for (int copy = 0; copy < COPIES; copy++)
        if (rank == READER)
            read_copy(node_views[READER], copy);
        else
            help_copy(node_views[HELPER], copy);
}

static const tti_node_shape shape = {2, 2, 8, 128, 0, 0, {0, 0}};

static void open(const scenario *s)
{
    may_refuse = s->plan != NULL;
    outside_open(&(outside_way){.ranks = 2, .refuses = may_refuse});
    for (size_t i = 0; i < BYTES; i++)
        source[i] = (unsigned char)(i / 64 + 1);
    node_views_open(&shape, 0);
    races_watch(target, BYTES, "target");
}

static void reset(void)
{
    node_views_reset();
    memset(target, 0, BYTES);
    for (int i = 0; i < COPIES; i++)
        atomic_store(&offered[i], 0);
}

static const scenario all[] = {
    {"copy", "copies that two share", 2, 0, 4, body, open, reset, node_views_close, NULL},
    {"copy-refused", "the same, the kernel may refuse", 2, 0, 3, body, open, reset, node_views_close, &shape},
    {"copy-death", "the same, one of the two may die", 2, 2, 3, body, open, reset, node_views_close, NULL},
};
const scenario *const scenarios_copy = all;
const int scenarios_copy_count = (int)(sizeof all / sizeof *all);
