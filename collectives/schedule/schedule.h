/* SPDX-License-Identifier: BSD-3-Clause */
/* The one intermediate form of a collective: what one rank does, as steps with dependencies. No I/O, no
 * state: the engine executes it, the checker proves it, and the tests change it and execute it in orders of
 * their own (tests/proof). A schedule depends on the shape of the call alone (algorithm.h), never on
 * addresses. */
#ifndef TTI_SCHEDULE_H
#define TTI_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collectives/schedule/need.h"

/* Where bytes are. INPUT is the caller's send buffer and never written; OUTPUT its receive buffer (of bcast:
 * its only one); SCRATCH memory of the executor's, not initialised; WINDOW this rank's piece of memory that
 * the ranks of its node share, not initialised, and nobody else's until all of them have ended the operation.
 * A call in place has no INPUT: the caller's contribution is in OUTPUT. */
enum tti_space { TTI_INPUT, TTI_OUTPUT, TTI_SCRATCH, TTI_WINDOW, TTI_SPACES };

/* What a step does once all it depends on is complete:
 *   SEND    `bytes` at `from` to rank `peer`. Complete when the bytes may be overwritten; that may be only
 *           after the peer has started its receive.
 *   RECV    the `bytes` that `peer` sends with the same tag, into `to`.
 *   COPY    `bytes` at `from` into `to`; they do not overlap.
 *   REDUCE  to = from ∘ to, element by element: `from` holds what comes from the lower ranks.
 *   POST    shows the ranks that share memory with this one what it has done so far: what it wrote to its
 *           WINDOW, and that it has read what it read of theirs. Posts of a rank are numbered from 1.
 *   AWAIT   complete once the peer has made its post number `tag`; what that shows may then be read. Number 0
 *           is that it has begun, and has shown where its buffers are.
 *   TELL    puts a number, `from`, as a word at `to` of its own WINDOW or SCRATCH;
 *   COMPARE finds the number `to` at `from` of a peer's WINDOW, or of its own WINDOW or SCRATCH, or the
 *           ranks' calls differ and all fail: what their sizes are to messages. Rank `about` has told it;
 *           it may have been passed on.
 *   PUT     `bytes` at `from` into what the peer shows of its OUTPUT to be written, at `to`; or, where
 *           `to_space` is SCRATCH, at the offset that stands as a number at `to` of this rank's own.
 *
 * A SEND or COPY of slots may move no more than is needed of them (need.h), and the RECV gets as much.
 *
 * COPY and REDUCE may have their source in a peer's WINDOW, or in what it shows of its buffers (tti_shown).
 * POST and AWAIT of one rank come one after the other, in the order in which they stand.
 *
 * Where ranks share processors each should need its own but once. So they may meet by counting: one more
 * rank, whose number is that of the ranks, has a WINDOW and no buffers, and is played by whoever comes last.
 * The others POST to it, their post number n being the n-th time that they come; it AWAITs post n of all,
 * does with their WINDOWs what there is to do, and POSTs to all. Whoever comes last the n-th time makes the
 * steps from the n-th AWAIT up to the next. */
enum tti_step_kind {
    TTI_STEP_SEND,
    TTI_STEP_RECV,
    TTI_STEP_COPY,
    TTI_STEP_REDUCE,
    TTI_STEP_POST,
    TTI_STEP_AWAIT,
    TTI_STEP_TELL,
    TTI_STEP_COMPARE,
    TTI_STEP_PUT
};

/* Bytes of a number that is told. */
#define TTI_STEP_WORD sizeof(uint64_t)

/* For a peer: the rank itself, of a COPY or REDUCE; all others that share memory with it (of its node), of a
 * POST that each of them may await, and an AWAIT of a post of each. */
#define TTI_OWN (-1)
#define TTI_ALL (-2)

/* The most POSTs of a schedule. */
#define TTI_STEP_POSTS ((1 << 24) - 1)

typedef struct {
    uint8_t kind, from_space, to_space;
    uint16_t need; /* what it moves is that one of the schedule's needs, counted from 1; 0: all its bytes */
    int tag;       /* unique among the messages of one schedule from one rank to another; number of a post */
    int peer;      /* rank in the communicator; of a POST: the one that may await it */
    int about;     /* of a COMPARE */
    size_t from, to, bytes;
} tti_step;

static inline bool tti_step_is_message(const tti_step *step)
{
    return step->kind == TTI_STEP_SEND || step->kind == TTI_STEP_RECV;
}
/* POST and AWAIT name no bytes. */
static inline bool tti_step_is_meeting(const tti_step *step)
{
    return step->kind == TTI_STEP_POST || step->kind == TTI_STEP_AWAIT;
}
/* Whether it reads `bytes` at `from`, of this rank or a peer; writes `bytes` at `to` of this rank. */
static inline bool tti_step_reads(const tti_step *step)
{
    return !tti_step_is_meeting(step) && step->kind != TTI_STEP_RECV && step->kind != TTI_STEP_TELL;
}
static inline bool tti_step_writes(const tti_step *step)
{
    return !tti_step_is_meeting(step) && step->kind != TTI_STEP_SEND && step->kind != TTI_STEP_COMPARE &&
           step->kind != TTI_STEP_PUT;
}
/* Whether `from`, of a step that reads, is a peer's. */
static inline bool tti_step_reads_peer(const tti_step *step)
{
    return !tti_step_is_message(step) && step->kind != TTI_STEP_PUT && step->peer >= 0;
}
/* What a TELL does where its `to` is. */
static inline void tti_step_tell(const tti_step *step, void *to)
{
    const uint64_t number = step->from;
    memcpy(to, &number, sizeof number);
}
/* The number that was told there. */
static inline uint64_t tti_step_told(const void *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

/* A part of a rank's own buffers in which those that share memory with it may read, or which is room for what
 * they PUT there, from its beginning to its end: named INPUT and OUTPUT, and counted from 0, wherever it is.
 * So the contribution of a call in place is its INPUT for others, too. */
typedef struct {
    uint8_t space;
    bool written;     /* as OUTPUT: others write there, */
    bool told;        /* where a number says, and nowhere else */
    size_t at, bytes; /* 0 bytes: nothing */
} tti_shown;
#define TTI_SHOWN (TTI_OUTPUT + 1)

/* Steps stand in an order that respects their dependencies: a successor has the greater index. */
typedef struct tti_schedule {
    int count;      /* of steps */
    int messages;   /* of SEND and RECV steps among them */
    size_t scratch; /* bytes of SCRATCH */
    size_t window;  /* bytes of WINDOW used */
    int posts;      /* POST steps */
    size_t element; /* bytes of an element of REDUCE */
    tti_shown shown[TTI_SHOWN];
    tti_need *needs; /* that its steps have; NULL: none */
    int need_count;
    tti_step *steps; /* [count] */
    int *waits;      /* [count] how many steps each depends on */
    int *next_start; /* [count + 1] successors of step i: next[next_start[i]] … next[next_start[i + 1] - 1] */
    int *next;
    struct tti_schedule *last; /* what whoever comes last does for all, the same at each; NULL: nothing */
} tti_schedule;

/* NULL: the step moves all its bytes. */
static inline const tti_need *tti_schedule_need(const tti_schedule *schedule, const tti_step *step)
{
    return step->need > 0 ? &schedule->needs[step->need - 1] : NULL;
}
/* Whether the rank lets others into its buffers. */
static inline bool tti_schedule_shows(const tti_schedule *schedule)
{
    return schedule->shown[TTI_INPUT].bytes > 0 || schedule->shown[TTI_OUTPUT].bytes > 0;
}
/* Whose beginning it awaits before anything else: a rank, TTI_ALL, or TTI_OWN: nobody's. */
static inline int tti_schedule_deciders(const tti_schedule *schedule)
{
    for (int i = 0; i < schedule->count; i++)
        if (schedule->steps[i].kind == TTI_STEP_AWAIT && schedule->steps[i].tag == 0)
            return schedule->steps[i].peer;
    return TTI_OWN;
}
/* Whether a step reads or writes in a peer's buffers, and not in its WINDOW. */
static inline bool tti_step_reaches(const tti_step *step)
{
    if (step->kind == TTI_STEP_PUT) return true;
    return (step->kind == TTI_STEP_COPY || step->kind == TTI_STEP_REDUCE) && step->peer >= 0 &&
           step->from_space < TTI_SHOWN;
}
/* Whether the rank lets others into its buffers, or reaches into theirs. */
static inline bool tti_schedule_reaches(const tti_schedule *schedule)
{
    for (int i = 0; i < schedule->count; i++)
        if (tti_step_reaches(&schedule->steps[i])) return true;
    return tti_schedule_shows(schedule);
}
/* Bytes of INPUTs and OUTPUTs that the rank's copies read or write, and of its WINDOW that they write. */
static inline size_t tti_schedule_touches(const tti_schedule *schedule)
{
    size_t bytes = 0;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->kind != TTI_STEP_COPY) continue;
        if (step->from_space <= TTI_OUTPUT) bytes += step->bytes;
        if (step->to_space != TTI_SCRATCH) bytes += step->bytes;
    }
    return bytes;
}
/* Whether it is a PUT to where a number says. */
static inline bool tti_step_is_told(const tti_step *step)
{
    return step->kind == TTI_STEP_PUT && step->to_space == TTI_SCRATCH;
}
/* As what the peer shows the buffer that such a step touches, INPUT or OUTPUT, and the place in that: 0 where
 * a number says it. */
static inline int tti_step_reached(const tti_step *step, size_t *at)
{
    const bool puts = step->kind == TTI_STEP_PUT;
    *at = tti_step_is_told(step) ? 0 : puts ? step->to : step->from;
    return puts ? TTI_OUTPUT : step->from_space;
}

/* One of `count` steps, with as many edges from a step to a successor, to be filled in: steps wait for
 * nobody, and no list of successors has a length yet. NULL if memory is out. */
tti_schedule *tti_schedule_make(int count, int edges);
/* What it takes of memory; of NULL 0. */
size_t tti_schedule_bytes(const tti_schedule *schedule);
/* NULL is nothing. */
void tti_schedule_free(tti_schedule *schedule);

#endif
