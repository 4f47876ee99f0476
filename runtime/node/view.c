/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/node/view.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"
#include "runtime/node/bell.h"
#include "runtime/node/join.h"
#include "runtime/node/segment.h"

/* How often who waits for others to come asks whether they died. */
#define DEATH_CHECK_NS 20000000

static int allocate_tables(tti_node *node)
{
    const size_t ranks = (size_t)node->ranks;
    node->out = calloc(ranks, sizeof *node->out);
    node->in = calloc(ranks, sizeof *node->in);
    node->contacts = calloc(ranks, sizeof *node->contacts);
    node->pending = calloc((ranks + 63) / 64, sizeof *node->pending);
    uint32_t *ends = calloc(ranks * node->shape.slots, sizeof *ends);
    if (node->out != NULL) node->out[0].ends = ends; /* the block hangs on the first, freed from there */
    if (node->out == NULL || node->in == NULL || node->contacts == NULL || node->pending == NULL ||
        ends == NULL) {
        if (node->out == NULL) free(ends);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the mailboxes of %zu ranks", ranks);
    }
    return 0;
}

static void free_tables(tti_node *node)
{
    if (node->out != NULL) free(node->out[0].ends);
    free(node->out);
    free(node->in);
    free(node->contacts);
    free(node->pending);
}

static void aim(tti_node *node)
{
    const tti_node_layout at = tti_node_layout_of(&node->shape);
    char *base = (char *)node->header;
    node->windows = base + at.windows;
    const size_t ranks = (size_t)node->ranks, me = (size_t)node->index;
    for (size_t peer = 0; peer < ranks; peer++) {
        const size_t to = peer * ranks + me, from = me * ranks + peer;
        node->out[peer].ring = (tti_node_ring *)(base + at.rings + to * at.ring_stride);
        node->out[peer].bell = (tti_node_bell *)(base + at.bells + peer * at.bell_stride);
        node->out[peer].data = (unsigned char *)base + at.data + to * node->shape.data_bytes;
        node->out[peer].ends = node->out[0].ends + peer * node->shape.slots;
        tti_node_expect_passage(node, &node->out[peer]);
        node->in[peer].ring = (tti_node_ring *)(base + at.rings + from * at.ring_stride);
        node->in[peer].data = (unsigned char *)base + at.data + from * node->shape.data_bytes;
        node->contacts[peer] = (tti_node_contact){.wake_fd = -1};
    }
}

/* Tells the others who this process is, and that it came. Where two processes come as this rank in the same
 * moment (pmi/seat.c) the card is the first one's, and the other has touched nothing yet. */
static int sign_in(tti_node *node)
{
    tti_node_card *card = tti_node_card_of(node, node->index);
    int32_t other = 0;
    if (!atomic_compare_exchange_strong(&card->taken_by, &other, (int32_t)getpid()))
        return tti_pmi_fail_taken(tti_node_rank_of(node, node->index), other);
    tti_node_permit_copies();
    node->proof = node->header->cookie + (uint64_t)node->index;
    card->proof_at = (uint64_t)(uintptr_t)&node->proof;
    card->proof = node->proof;
    tti_node_note_processors(card);
    atomic_store(&card->pid, (int32_t)getpid());
    atomic_fetch_add(&node->header->views, 1);
    atomic_fetch_add(&node->header->attached, 1);
    syscall(SYS_futex, &node->header->attached, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    return 0;
}

/* Makes the view; takes over `header` and `fd` if it succeeds. */
static int make_view(tti_node_header *header, int fd, int index, const int *job_ranks, tti_node **node)
{
    tti_node *made = calloc(1, sizeof *made);
    if (made == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the view of the node's segment");
    made->header = header;
    made->fd = fd;
    made->index = index;
    made->page = (size_t)sysconf(_SC_PAGESIZE);
    made->shape = header->shape;
    made->ranks = made->expected = (int)header->shape.ranks;
    made->job_ranks = job_ranks;
    made->pipe[0] = made->pipe[1] = -1;
    int code = allocate_tables(made);
    if (code == 0) {
        aim(made);
        made->bell = made->out[index].bell;
        code = sign_in(made);
    }
    if (code < 0) {
        free_tables(made);
        free(made);
        return code;
    }
    *node = made;
    return 0;
}

const tti_crossings *tti_node_crossings(const tti_node *node)
{
    return &node->header->crossings;
}

/* The first rank learns what the machine does, for all. */
static int found_segment(const tti_node_shape *shape, int *fd, tti_node_header **header)
{
    tti_machine machine;
    tti_machine_learn(&machine);
    const tti_crossings crossings = tti_machine_crossings(&machine.figures);
    return tti_node_make_segment(shape, &crossings, fd, header);
}

int tti_node_open(const tti_job *job, tti_node **node)
{
    const tti_node_shape shape = tti_node_shape_for(job->local_size);
    tti_node_header *header = NULL;
    int fd = -1, code = 0;
    if (job->local_index == 0) code = found_segment(&shape, &fd, &header);
    if (code == 0 && job->local_size > 1)
        code = header != NULL ? tti_node_invite(job, header, fd) : tti_node_join(job, &header, &fd);
    if (code == 0) code = make_view(header, fd, job->local_index, job->local_ranks, node);
    if (code == 0) (*node)->expected = tti_job_local_world(job);
    if (code < 0) {
        if (header != NULL) munmap(header, header->bytes);
        if (fd >= 0) close(fd);
    }
    return code;
}

int tti_node_open_shaped(const tti_node_shape *shape, int index, void **segment, tti_node **node)
{
    tti_node_header *header = *segment;
    int fd = -1;
    const tti_figures typical = tti_figures_typical();
    const tti_crossings crossings = tti_crossings_of(&typical);
    int code = index == 0 ? tti_node_make_segment(shape, &crossings, &fd, &header) : 0;
    if (code == 0) code = make_view(header, fd, index, NULL, node);
    if (code < 0) {
        if (index == 0 && header != NULL && fd >= 0) {
            munmap(header, header->bytes);
            close(fd);
        }
        return code;
    }
    (*node)->threads = true;
    *segment = header;
    return 0;
}

int tti_node_open_threads(int ranks, int index, void **segment, tti_node **node)
{
    const tti_node_shape shape = tti_node_shape_for(ranks);
    return tti_node_open_shaped(&shape, index, segment, node);
}

static bool may_come(const tti_node *node)
{
    for (int peer = 0; peer < node->expected; peer++) {
        if (atomic_load(&tti_node_card_of(node, peer)->pid) == 0 &&
            !tti_pmi_has_died(tti_node_rank_of(node, peer)))
            return true;
    }
    return false;
}

/* The creator's process must live until all ranks came: they map the segment through it. A rank that never
 * starts Tutti costs the wait for a connection, unless it is known to be dead. */
static void await_all(tti_node *node)
{
    const int64_t end = tti_clock_later(tti_clock_ns(), tti_option_value(TTI_OPTION_CONNECT_TIMEOUT));
    const struct timespec wait = {.tv_nsec = DEATH_CHECK_NS};
    uint32_t here;
    while ((here = atomic_load(&node->header->attached)) < (uint32_t)node->expected && may_come(node) &&
           tti_clock_ns() < end)
        syscall(SYS_futex, &node->header->attached, FUTEX_WAIT, here, &wait, NULL, 0);
}

bool tti_node_has_left(const tti_node *node, int peer)
{
    return atomic_load(&tti_node_card_of(node, peer)->left);
}

TTI_HOT uint32_t tti_node_departures(const tti_node *node)
{
    return atomic_load_explicit(&node->header->departures, memory_order_acquire);
}

static void sign_out(tti_node *node)
{
    atomic_store(&tti_node_card_of(node, node->index)->left, true);
    atomic_fetch_add(&node->header->departures, 1);
    for (int peer = 0; peer < node->ranks; peer++)
        tti_node_poke(node, peer);
}

void tti_node_close(tti_node *node)
{
    if (node == NULL) return;
    sign_out(node);
    if (node->index == 0 && !node->threads) await_all(node);
    tti_node_close_bell(node);
    tti_node_close_arena(node);
    if (node->fd >= 0) close(node->fd);
    const bool last = !node->threads || atomic_fetch_sub(&node->header->views, 1) == 1;
    if (last) munmap(node->header, node->header->bytes);
    free_tables(node);
    free(node->between);
    free(node);
}
