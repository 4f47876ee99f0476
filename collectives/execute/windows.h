/* SPDX-License-Identifier: BSD-3-Clause */
/* The windows of a communicator: memory that its ranks on one node share, those of each node by themselves.
 * Here a rank is known by its place among those of its node. There are many tiny ones and few large ones; the
 * operations on each kind are numbered, and number n uses window n mod their number at every rank. It may
 * begin when each of them has finished all up to the one that used that window before, so that several may be
 * under way. Large ones may have fronts, of which there are more: a rank that writes no more than those may
 * begin as much earlier, since it writes to its own windows alone. Under the lock. */
#ifndef TTI_EXECUTE_WINDOWS_H
#define TTI_EXECUTE_WINDOWS_H

#include "collectives/execute/filling.h"
#include "collectives/patterns/node_map.h"
#include "collectives/schedule/schedule.h"
#include "runtime/base/copy.h"
#include "runtime/base/list.h"
#include "runtime/comm/comm.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/view.h"
#include "runtime/progress/watched.h"

/* How far one kind of window is. Operations may finish before one that began before them, but these are fewer
 * than windows: so many words have a bit for each. */
#define TTI_WINDOWS_BEYOND 2
_Static_assert(TTI_NODE_TINY_WINDOWS <= 64 * TTI_WINDOWS_BEYOND, "there is a bit for each");
typedef struct {
    uint64_t begun;                      /* operations that this rank has begun */
    uint64_t finished;                   /* all before which this rank has finished */
    uint64_t beyond[TTI_WINDOWS_BEYOND]; /* bit i of both: it has also finished number finished + 1 + i */
    uint64_t by_all;                     /* all before which every rank is known to have finished */
    unsigned turns;                      /* of each rank's windows so many take turns, a power of two */
    /* The operation for which no window was free when it was looked at last, and the round of progress in
     * which that was: those behind it need not look in the same round (run_window.c). */
    struct {
        uint64_t number, round;
        unsigned apart;
    } refused;
} tti_windows_progress;

typedef struct {
    tti_node *node;
    int set;           /* of the node's; -1: there was none left */
    int rank, size;    /* this rank's place; how many share them */
    const int *places; /* of the communicator's ranks; NULL where all are on this node: places are ranks */
    const int *ranks;  /* at each of the node's places; NULL as `places` */
    tti_node_windows_name name; /* of the set */
    int taker;                  /* place of the rank that took the set */
    int first;                  /* the taker's job rank */
    bool agreed;                /* it is known whether the communicator is made */
    tti_node_windows_layout layout;
    tti_windows_progress kinds[TTI_NODE_WINDOW_KINDS];
    struct tti_shown_map *maps; /* of others' buffers (shown.h) */
    tti_link mapping;           /* among all windows that have maps */
    tti_filling filling;
    uint64_t told;     /* mark of the call that this rank told the others last; 0: it is to tell it again */
    uint8_t told_form; /* in which form it was made */
    uint8_t within;    /* function that the program called, of which all calls now are parts; 0: none */
    int peers[]; /* [size + 1] index on the node; behind the ranks' that of the last to come (schedule.h) */
} tti_windows;

/* The place of a rank; also of the last to come, who plays only where all are here. */
static inline int tti_windows_place(const tti_windows *windows, int rank)
{
    return windows->places != NULL ? windows->places[rank] : rank;
}
/* The rank at a place. */
static inline int tti_windows_rank(const tti_windows *windows, int place)
{
    return windows->ranks != NULL ? windows->ranks[place] : place;
}

/* One operation on them. */
typedef struct {
    enum tti_node_window_kind kind; /* never FRONT: those are numbered with the large ones */
    uint64_t number;                /* among those of the kind */
    unsigned apart; /* it begins when all have been finished up to the one that is so many before it */
    size_t at;      /* of its windows, behind each rank's counts */
    size_t front;   /* the first so many bytes of WINDOW are there, */
    size_t shift;   /* the others so many further than if they were, too */
} tti_windows_use;

/* What a rank shows that has made so many posts in the operation. */
#define TTI_WINDOWS_POST_BITS 24
_Static_assert(TTI_STEP_POSTS < 1 << TTI_WINDOWS_POST_BITS, "a post's number has room");
static inline uint64_t tti_windows_word(const tti_windows_use *use, int post)
{
    return (use->number + 1) << TTI_WINDOWS_POST_BITS | (uint64_t)post;
}
/* Whether what a rank shows is that post of that operation, `least`, or a later post. Of a later operation it
 * can be nothing: that begins there when all have finished this one. Of earlier ones it can be anything, and
 * may be more than `least`, since the number has 40 bits in a word: some days of small collectives. */
static inline bool tti_windows_reaches(uint64_t shown, uint64_t least)
{
    return shown - least < UINT64_C(1) << TTI_WINDOWS_POST_BITS;
}
/* Where the windows of operation `number` are. */
static inline size_t tti_windows_turn(const tti_windows *windows, enum tti_node_window_kind kind,
                                      uint64_t number)
{
    const tti_node_windows_layout *l = &windows->layout;
    return l->at[kind] + (number & (windows->kinds[kind].turns - 1)) * l->stride[kind];
}
/* Makes it one of windows with fronts. */
void tti_windows_add_front(const tti_windows *windows, size_t writes, tti_windows_use *use);
/* The next operation of that kind, in which this rank writes so many bytes of WINDOW. It is not begun. */
static inline void tti_windows_next(const tti_windows *windows, enum tti_node_window_kind kind, size_t writes,
                                    tti_windows_use *use)
{
    const bool fronted = kind == TTI_NODE_WINDOW_FRONT;
    if (__builtin_expect(fronted, 0)) kind = TTI_NODE_WINDOW_LARGE;
    use->kind = kind;
    use->number = windows->kinds[kind].begun;
    use->apart = windows->kinds[kind].turns;
    use->at = tti_windows_turn(windows, kind, use->number);
    use->front = use->shift = 0;
    if (__builtin_expect(fronted, 0)) tti_windows_add_front(windows, writes, use);
}
/* The same, and it is begun. */
static inline void tti_windows_begin(tti_windows *windows, enum tti_node_window_kind kind, size_t writes,
                                     tti_windows_use *use)
{
    tti_windows_next(windows, kind, writes, use);
    windows->kinds[use->kind].begun++;
}
/* How much further a byte of WINDOW is than if all were in the front. */
static inline size_t tti_windows_shift(const tti_windows_use *use, size_t offset)
{
    return offset < use->front ? 0 : use->shift;
}
/* A byte of this rank's own in one of its spaces, which begin there. */
static inline char *tti_windows_own(char *const spaces[], const tti_windows_use *use, int space,
                                    size_t offset)
{
    return spaces[space] + offset + (space == TTI_WINDOW ? tti_windows_shift(use, offset) : 0);
}
/* The window of the rank at that place. */
static inline tti_node_window *tti_windows_at(const tti_windows *windows, int place,
                                              const tti_windows_use *use)
{
    const tti_node_windows_layout *l = &windows->layout;
    return (tti_node_window *)(void *)(l->first + (size_t)windows->peers[place] * l->of_peer + use->at);
}
/* A byte of WINDOW there. */
static inline const char *tti_windows_read(const tti_windows *windows, int place, const tti_windows_use *use,
                                           size_t offset)
{
    return (const char *)tti_windows_at(windows, place, use)->data + offset + tti_windows_shift(use, offset);
}

/* -- windows_open.c -- */
/* Those of the ranks on this node, of no set yet. NULL: this rank shares memory with no other, or not with
 * all of its node's. TUTTI_ERR_NO_MEMORY. */
int tti_windows_open(const tutti_comm *comm, const tti_node_map *nodes, tti_windows **windows);
/* Leaves the set that the first rank took, if it did, without having used it. */
void tti_windows_leave_unused(const tti_windows *windows);
/* Leaves its set, and frees them; NULL is nothing. */
void tti_windows_close(tti_windows *windows);

/* -- windows_agree.c -- */
/* Whether a rank of a new communicator does not agree on it, but hears of it later. */
typedef bool tti_windows_new_fn(const void *of, int rank);
/* Before ranks agree on a new communicator: makes room for its windows. The first of those of its ranks on
 * this node that agree (is_new NULL: all do) also takes a set, unless it is alone there or all sets are in
 * use. Once they have agreed the others find that set by its name, which all know and no other communicator
 * has: the context of the parent, `of`, and how many were made of that, `number`, from 1; or its own context
 * and 0. TUTTI_ERR_NO_MEMORY. */
int tti_windows_prepare(tutti_comm *comm, uint64_t of, uint64_t number, tti_windows_new_fn *is_new,
                        const void *is_new_of);
/* All have agreed: the communicator is made, or is not. */
void tti_windows_agreed(tutti_comm *comm, bool made);
/* Those of the communicator; NULL if it has none. TUTTI_ERR_NO_MEMORY. */
int tti_windows_get(tutti_comm *comm, tti_windows **windows);

/* -- windows.c -- */
/* They are of that set. -1: there is none. */
void tti_windows_aim(tti_windows *windows, int set);
/* Whether its windows are free. While they are not, this rank is woken when they may be. */
bool tti_windows_free_for(tti_windows *windows, const tti_windows_use *use);
/* Whether an operation's windows are not free by what the rank at that place has not finished, as far as that
 * one tells. Who has departed never finishes it. */
bool tti_windows_holds(const tti_windows *windows, const tti_windows_use *use, int place);
/* Whether this rank has finished all operations of that kind before this one. */
static inline bool tti_windows_through(const tti_windows *windows, const tti_windows_use *use)
{
    return windows->kinds[use->kind].finished == use->number;
}
/* All ranks have, as their windows show: what each tells of it in a line of its own need not be looked at. */
static inline void tti_windows_all_through(tti_windows *windows, const tti_windows_use *use)
{
    uint64_t *by_all = &windows->kinds[use->kind].by_all;
    if (*by_all < use->number) *by_all = use->number;
}
/* Its windows are this rank's to use: shows which call it makes. `awaited`: others await that it has begun,
 * and are woken. */
void tti_windows_enter(const tti_windows *windows, const tti_windows_use *use, uint64_t mark, bool awaited);
/* memcpy() into this rank's window. */
static inline void tti_windows_fill(tti_windows *windows, void *to, const void *from, size_t bytes)
{
    if (bytes < TTI_FILLING_LEAST)
        tti_copy_short(to, from, bytes);
    else
        tti_filling_copy(&windows->filling, &tti_node_crossings(windows->node)->figures, to, from, bytes);
}
/* Which call a rank makes, for people: its mark, and what else there is to say. */
typedef struct {
    uint64_t mark, type, rest;
} tti_windows_call;
/* Tells the others which call this rank makes. */
void tti_windows_tell(tti_windows *windows, const tti_windows_call *call);
/* What the rank at that place, whose window shows that mark, has told. False: it has told another call since.
 */
bool tti_windows_told(const tti_windows *windows, int place, uint64_t mark, tti_windows_call *call);
/* What this rank has told last is the communicator's call of that number. */
void tti_windows_number(const tti_windows *windows, uint32_t number);
/* Whether what the rank at that place has told last is the call of that number; *mark becomes that call's. */
bool tti_windows_in_call(const tti_windows *windows, int place, uint32_t number, uint64_t *mark);
/* Makes post number `post`, from 1, for one rank or all others (TTI_ALL). */
void tti_windows_post(const tti_windows *windows, const tti_windows_use *use, int post, int peer);
/* Behind an operation's first post: asks for the lines of the next window of that kind that one of as many
 * bytes will write. The others have them in their caches since they last read them: to wait for them while
 * one waits anyway spares the next operation a passage between cores. Not of what goes past the caches, nor
 * for ranks that share processors. */
void tti_windows_fetch_next(const tti_windows *windows, const tti_windows_use *use, size_t bytes);
/* The post of a step of that schedule. */
static inline void tti_windows_post_step(const tti_windows *windows, const tti_windows_use *use,
                                         const tti_schedule *schedule, const tti_step *step)
{
    const int peer = step->peer >= 0 ? tti_windows_place(windows, step->peer) : step->peer;
    tti_windows_post(windows, use, step->tag, peer);
    if (step->tag == 1) tti_windows_fetch_next(windows, use, schedule->window);
}
/* This rank has given up an operation, after which none is possible here: what it has shown for others to
 * read is its program's again. */
void tti_windows_withdraw(const tti_windows *windows);
/* Whether the rank at that place has; asked after what has been read in its buffers. */
bool tti_windows_withdrawn(const tti_windows *windows, int place);
/* A post as the last to come, for all. */
void tti_windows_post_last(const tti_windows *windows, const tti_windows_use *use, int post);
/* This rank has come the `time`th time, and what it did before is visible to whoever comes last. True: that
 * is this one; *agreed is whether all came with the same mark. */
bool tti_windows_come(const tti_windows *windows, const tti_windows_use *use, uint64_t mark, int time,
                      bool *agreed);
/* Whoever comes last in the operation ends the count, for the next one there. */
void tti_windows_come_no_more(const tti_windows *windows, const tti_windows_use *use);
/* Whether the rank at that place has made post number `post`. *entered: it is in the operation, and *mark is
 * what it shows. */
bool tti_windows_has_posted(const tti_windows *windows, const tti_windows_use *use, int place, int post,
                            bool *entered, uint64_t *mark);
/* Adds the ranks that have not begun the operation. */
void tti_windows_absent(const tti_windows *windows, const tti_windows_use *use, const tutti_comm *comm,
                        tti_awaited *awaited);
/* This rank has finished the operation. */
void tti_windows_finish(tti_windows *windows, const tti_windows_use *use);

#endif
