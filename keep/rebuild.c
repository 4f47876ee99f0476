/* SPDX-License-Identifier: BSD-3-Clause */
/* Each survivor has of the lost piece one part, under the parts of the others (parity.c). They exchange
 * these, and give what is left to the one that is to have the piece. */
#include "keep/rebuild.h"

#include <stdlib.h>
#include <string.h>

#include "keep/parity.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "tutti/p2p.h"
#include "tutti/request.h"

enum { TAG_PART = 2, TAG_RESULT };

/* One group's work at one of its ranks. */
typedef struct {
    tti_keep *keep;
    const tutti_comm *comm;
    tutti_comm *way;
    int dead, part; /* which part of its piece this rank has */
    size_t chunk;   /* bytes of a part */
    unsigned char *sum, *scratch;
    tutti_request *sends[TTI_KEEP_GROUP_MOST];
    int code;
} rebuilding;

static int count_dead(const tti_keep *k, const tutti_comm *comm, int rank, int *dead)
{
    int count = 0;
    for (int i = 0; i < tti_keep_group_size(&k->groups, rank); i++) {
        const int member = tti_keep_behind(&k->groups, rank, i);
        if (tti_keep_lives(k, comm, member)) continue;
        *dead = member;
        count++;
    }
    return count;
}

bool tti_keep_survives(const tti_keep *k, const tutti_comm *comm, int rank)
{
    int dead = -1;
    if (tti_keep_lives(k, comm, rank)) return true;
    if (k->others == 0) return tti_keep_lives(k, comm, k->buddy[rank]);
    return count_dead(k, comm, rank, &dead) == 1;
}

static void note(rebuilding *r, int code)
{
    if (r->code == 0) r->code = code;
}

static int place(const rebuilding *r, int rank)
{
    return tti_comm_rank_of(r->comm, r->keep->members[rank]);
}

static size_t bytes_of(const rebuilding *r, int part)
{
    return r->keep->bytes_of[r->keep->version % 2][part];
}

/* The part of this rank's piece that `other` needs for its sum. */
static void send_part(rebuilding *r, int other)
{
    const tti_keep *k = r->keep;
    const tti_keep_room *own = &k->mine[k->version % 2];
    const int part = tti_keep_steps(&k->groups, k->rank, other) - 1;
    const size_t bytes = tti_parity_part(own->bytes, r->chunk, part);
    const unsigned char *from = own->memory;
    note(r, tutti_isend(r->way, bytes > 0 ? from + (size_t)part * r->chunk : from, bytes, place(r, other),
                        TAG_PART, &r->sends[part]));
}

static void add_part(rebuilding *r, int other)
{
    const tti_keep *k = r->keep;
    const int part = tti_keep_steps(&k->groups, other, k->rank) - 1;
    const size_t bytes = tti_parity_part(bytes_of(r, part), r->chunk, part);
    const int code =
        tutti_recv(r->way, r->scratch, r->scratch != NULL ? bytes : 0, place(r, other), TAG_PART, NULL);
    note(r, code);
    if (code == 0 && r->sum != NULL) tti_parity_add(r->sum, r->scratch, bytes);
}

/* Of the other survivors. */
static void for_each(rebuilding *r, void (*act)(rebuilding *r, int other))
{
    for (int i = 1; i <= r->keep->others; i++) {
        const int other = tti_keep_behind(&r->keep->groups, r->keep->rank, i);
        if (other != r->dead) act(r, other);
    }
}

/* A part of the piece, into its place. */
static void take_result(rebuilding *r, int other)
{
    tti_keep *k = r->keep;
    const int part = tti_keep_steps(&k->groups, r->dead, other) - 1;
    const size_t bytes = tti_parity_part(k->rebuilt.bytes, r->chunk, part);
    const bool good = k->rebuilt.memory != NULL && bytes > 0;
    unsigned char *to = good ? (unsigned char *)k->rebuilt.memory + (size_t)part * r->chunk : NULL;
    note(r, tutti_recv(r->way, to, good ? bytes : 0, place(r, other), TAG_RESULT, NULL));
}

static void collect(rebuilding *r)
{
    tti_keep *k = r->keep;
    tti_lock();
    note(r, tti_keep_room_private(&k->rebuilt, bytes_of(r, r->part)));
    tti_unlock();
    const size_t bytes = tti_parity_part(k->rebuilt.bytes, r->chunk, r->part);
    if (bytes > 0 && r->sum != NULL && k->rebuilt.memory != NULL)
        memcpy((unsigned char *)k->rebuilt.memory + (size_t)r->part * r->chunk, r->sum, bytes);
    for_each(r, take_result);
    if (r->code == 0) k->rebuilt_of = r->dead;
}

static void rebuild(rebuilding *r)
{
    tti_keep *k = r->keep;
    const tti_keep_room *parity = &k->wards[k->version % 2];
    r->chunk = parity->bytes;
    r->part = tti_keep_steps(&k->groups, r->dead, k->rank) - 1;
    r->sum = malloc(r->chunk + 1);
    r->scratch = malloc(r->chunk + 1);
    if (r->sum == NULL || r->scratch == NULL)
        note(r, tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_recall: no memory for a part of %zu bytes of \"%s\"",
                         r->chunk, k->name));
    if (r->sum != NULL) memcpy(r->sum, parity->memory, r->chunk);
    for_each(r, send_part);
    for_each(r, add_part);
    const int heir = k->buddy[r->dead];
    const size_t bytes = tti_parity_part(bytes_of(r, r->part), r->chunk, r->part);
    if (heir == k->rank)
        collect(r);
    else
        note(r, tutti_send(r->way, r->sum, r->sum != NULL ? bytes : 0, place(r, heir), TAG_RESULT));
    for (int i = 0; i < k->others; i++)
        note(r, tutti_wait(&r->sends[i], NULL));
    free(r->sum);
    free(r->scratch);
}

int tti_keep_rebuild(tti_keep *k, const tutti_comm *comm, tutti_comm *way)
{
    rebuilding r = {.keep = k, .comm = comm, .way = way};
    k->rebuilt_of = -1;
    if (k->others == 0 || count_dead(k, comm, k->rank, &r.dead) != 1) return 0;
    rebuild(&r);
    return r.code;
}
