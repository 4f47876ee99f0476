/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* In a group of g ranks each piece counts as g - 1 parts of the same size, as large as the largest piece needs;
 * what a shorter one lacks is zero. Part p goes to the rank that is p + 1 behind in the ring, which keeps the
 * exclusive or of the parts that come to it. Of four ranks A, B, C and D:
 *
 *     A keeps    B2 ^ C1 ^ D0         so if A dies:   A0 = at B ^ C2 ^ D1
 *     B keeps    C2 ^ D1 ^ A0                         A1 = at C ^ D2 ^ B0
 *     C keeps    D2 ^ A1 ^ B0                         A2 = at D ^ B1 ^ C0
 *     D keeps    A2 ^ B1 ^ C0
 *
 * (RAID 5; as SCR does it for checkpoints: Moody, Bronevetsky, Mohror, de Supinski, SC'10.) Making a version:
 *
 *     each to each other   head: bytes
 *     all                  agree: has everybody all heads, and memory?
 *     each to each other   its part, block by block, unless that can be mapped; blocks of all are added
 *     all                  agree on the version
 *
 * After the first agreement everybody knows how much is sent, and sends and takes all of it: what goes wrong then is
 * a death, which ends the messages of that rank alone. */
/* clang-format on */
#include "keep/parity.h"

#include <stdlib.h>

#include "runtime/base/past.h"
#include "runtime/base/status.h"
#include "runtime/peers/ways.h"

#define BLOCK                                                                                                \
    ((size_t)256 * 1024) /* of each part, so that those that come as messages are still in a cache */
#define BLOCKS_MOST 256
#define LINE ((size_t)64)
#define TILE ((size_t)4096)

typedef struct {
    tti_keep_message head_out, out, in;
    tti_keep_head head; /* of the rank from which a part comes */
    bool mapped;        /* its memory can be read here */
    size_t at, length;  /* of what goes out: sent, in all */
} part;

struct tti_parity {
    tti_agree_call call; /* on heads and memory */
    tti_keep_work adding;
    tti_keeping *of;
    int others;
    int awaited;              /* heads, then blocks */
    size_t chunk, step, done; /* bytes of a part, of a block; parts' bytes that are added */
    unsigned char *scratch;   /* a block of each part */
    part parts[];
};

void tti_parity_add(void *to, const void *from, size_t bytes)
{
    unsigned char *restrict t = to;
    const unsigned char *restrict f = from;
    for (size_t i = 0; i < bytes; i++)
        t[i] ^= f[i];
}

void tti_parity_free(tti_parity *p)
{
    if (p != NULL) free(p->scratch);
    free(p);
}

/* To whom part `i` goes; from whom the part comes that is its i-th. */
static int receiver(const tti_keep *k, int i)
{
    return tti_keep_behind(&k->groups, k->rank, 1 + i);
}

static int sender(const tti_keep *k, int i)
{
    return tti_keep_behind(&k->groups, k->rank, k->others - i);
}

static tti_keep_room *room_of(const tti_parity *p)
{
    tti_keep *k = p->of->keep;
    return &k->wards[(k->version + 1) % 2];
}

static tti_keep_room *map_of(const tti_parity *p, int i)
{
    const tti_keep *k = p->of->keep;
    return &k->maps[(k->version + 1) % 2][i];
}

/* Both ends know it: who has memory to share, and who is on whose node. */
static bool is_mapped(const tti_parity *p, const tti_keep_head *head, int rank)
{
    return tti_keep_is_shared(&head->shared) && tti_ways_node_index(p->of->keep->members[rank]) >= 0;
}

static size_t left_of(const tti_parity *p, int i)
{
    const size_t length = tti_parity_part((size_t)p->parts[i].head.bytes, p->chunk, i);
    const size_t left = length > p->done ? length - p->done : 0;
    return left < p->step ? left : p->step;
}

/* The block of part `i`, as far as there is something of it. */
static const unsigned char *block_of(const tti_parity *p, int i)
{
    if (!p->parts[i].mapped) return p->scratch + (size_t)i * p->step;
    return (const unsigned char *)map_of(p, i)->memory + (size_t)i * p->chunk + p->done;
}

/* So much at a time stays in the first cache while all parts are added. */
static void add_tile(const tti_parity *p, size_t at, size_t bytes)
{
    unsigned char tile[TILE] = {0};
    for (int i = 0; i < p->others; i++) {
        const size_t here = left_of(p, i), left = here > at ? here - at : 0;
        if (left > 0) tti_parity_add(tile, block_of(p, i) + at, left < bytes ? left : bytes);
    }
    tti_copy_past((unsigned char *)room_of(p)->memory + p->done + at, tile, bytes);
}

static void add_blocks(const tti_parity *p)
{
    const size_t size = p->chunk - p->done < p->step ? p->chunk - p->done : p->step;
    for (size_t at = 0; at < size; at += TILE)
        add_tile(p, at, size - at < TILE ? size - at : TILE);
}

static bool take_blocks(tti_parity *p);

/* Those of a block that come have come. */
static bool add_step(tti_keep_work *work)
{
    tti_parity *p = TTI_OWNER(work, tti_parity, adding);
    if (p->of->code == 0) add_blocks(p);
    p->done += p->step;
    if (p->done < p->chunk && take_blocks(p)) return true;
    tti_keeping_let_go(p->of);
    return false;
}

static void block_came(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    tti_parity *p = r->parity;
    tti_keeping_fail(r, op->error);
    if (--p->awaited == 0) {
        r->pending++;
        tti_keep_begin_work(&p->adding);
    }
    tti_keeping_let_go(r);
}

/* True: all are here already. Else adding begins with the last one that comes. */
static bool take_blocks(tti_parity *p)
{
    p->awaited = 1;
    for (int i = 0; i < p->others; i++) {
        tti_keep_message *in = &p->parts[i].in;
        if (left_of(p, i) == 0 || p->parts[i].mapped) continue;
        in->op.done = block_came;
        p->awaited++;
        tti_keeping_take(in, p->scratch + (size_t)i * p->step, left_of(p, i), sender(p->of->keep, i),
                         p->of->tag + 1);
    }
    return --p->awaited == 0;
}

static void send_block(tti_parity *p, int i)
{
    part *out = &p->parts[i];
    const size_t left = out->length - out->at, bytes = left < p->step ? left : p->step;
    if (left == 0) return;
    const unsigned char *from = (const unsigned char *)p->of->buffer + (size_t)i * p->chunk + out->at;
    out->at += bytes;
    tti_keeping_send(&out->out, from, bytes, receiver(p->of->keep, i), p->of->tag + 1);
}

/* What a dead rank does not take is no matter. */
static void block_sent(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    part *out = TTI_OWNER(op, part, out.op);
    if (op->error != TUTTI_ERR_PEER_FAILED) tti_keeping_fail(r, op->error);
    if (op->error < 0) out->at = out->length;
    send_block(r->parity, (int)(out - r->parity->parts));
    tti_keeping_let_go(r);
}

static void move(tti_parity *p)
{
    p->adding.step = add_step;
    for (int i = 0; i < p->others; i++) {
        if (is_mapped(p, &p->of->own, receiver(p->of->keep, i))) continue;
        p->parts[i].out.op.done = block_sent;
        p->parts[i].length = tti_parity_part(p->of->bytes, p->chunk, i);
        send_block(p, i);
    }
    if (p->chunk == 0 || !take_blocks(p)) return;
    p->of->pending++;
    tti_keep_begin_work(&p->adding);
}

static void decided(tti_agree_call *call, const tti_agree_value *decision)
{
    tti_parity *p = TTI_OWNER(call, tti_parity, call);
    const int code = tti_agree_judge(p->of->name, p->of->comm, TTI_AGREE_KEEP, decision);
    if (code == 0 && decision->flags != 0)
        move(p);
    else
        tti_keeping_fail(p->of, code < 0 ? code : TUTTI_ERR_PEER_FAILED);
    tti_keeping_let_go(p->of);
}

static int make_room(tti_parity *p)
{
    const size_t others = (size_t)p->others, least = p->chunk / BLOCKS_MOST / LINE * LINE + LINE;
    p->step = least > BLOCK ? least : BLOCK;
    if (p->chunk < p->step) p->step = p->chunk + 1;
    p->scratch = malloc(others * p->step);
    if (p->scratch == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for blocks of %d parts", p->of->name, p->others);
    return tti_keep_room_private(room_of(p), p->chunk);
}

static int prepare(tti_parity *p)
{
    size_t most = p->of->bytes;
    const tti_keep *k = p->of->keep;
    for (int i = 0; i < p->others; i++) {
        const tti_keep_head *head = &p->parts[i].head;
        const int rank = sender(k, i);
        k->bytes_of[(k->version + 1) % 2][i] = (size_t)head->bytes;
        if (head->bytes > most) most = (size_t)head->bytes;
        p->parts[i].mapped = is_mapped(p, head, rank);
        if (!p->parts[i].mapped) continue;
        const int code =
            tti_keep_room_map(map_of(p, i), k->members[rank], &head->shared, (size_t)head->bytes);
        if (code < 0) return code;
    }
    p->chunk = (most + (size_t)p->others - 1) / (size_t)p->others;
    return make_room(p);
}

static void head_came(tti_p2p_op *op)
{
    tti_keeping *r = ((tti_keep_message *)op)->of;
    tti_parity *p = r->parity;
    const part *in = TTI_OWNER(op, part, in.op);
    tti_keeping_fail(r, tti_keeping_check_head(r, op, &in->head));
    if (--p->awaited == 0) {
        if (r->code == 0) tti_keeping_fail(r, prepare(p));
        p->call.flags = r->code == 0;
        tti_agree_ready(r->comm, &p->call);
    }
    tti_keeping_let_go(r);
}

int tti_parity_make(tti_keeping *r)
{
    const int others = r->keep->others;
    tti_parity *p = calloc(1, sizeof *p + (size_t)others * sizeof p->parts[0]);
    if (p == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a group of %d ranks", r->name, others + 1);
    p->of = r;
    p->others = p->awaited = others;
    p->call = (tti_agree_call){.kind = TTI_AGREE_KEEP, .later = true, .done = decided};
    for (int i = 0; i < others; i++) {
        part *one = &p->parts[i];
        one->head_out.of = one->out.of = one->in.of = r;
        one->head_out.op.done = tti_keeping_sent;
        one->in.op.done = head_came;
    }
    r->parity = p;
    const int code = tti_agree_start(r->comm, &p->call);
    if (code == 0) return 0;
    r->parity = NULL;
    tti_parity_free(p);
    return code;
}

void tti_parity_withdraw(tti_parity *p)
{
    tti_agree_withdraw(p->of->comm, &p->call);
}

void tti_parity_begin(tti_keeping *r)
{
    tti_parity *p = r->parity;
    r->pending++; /* the agreement on heads */
    for (int i = 0; i < p->others; i++)
        tti_keeping_send(&p->parts[i].head_out, &r->own, sizeof r->own, receiver(r->keep, i), r->tag);
    for (int i = 0; i < p->others; i++)
        tti_keeping_take(&p->parts[i].in, &p->parts[i].head, sizeof p->parts[i].head, sender(r->keep, i),
                         r->tag);
}
