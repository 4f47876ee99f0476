/* SPDX-License-Identifier: BSD-3-Clause */
/* The form of POST and AWAIT: posts are numbered through, and each AWAIT is of a post that exists and that
 * the rank may await. And all ranks await the beginning of all that show their buffers: from what these say
 * of them, each can choose as all do. */
#include "collectives/proof/checker_state.h"

/* What is known of a rank is the number of its posts and one more, in 16 bits (check_known.c). */
#define MOST_POSTS (UINT16_MAX - 1)

typedef struct {
    tti_checker *checker;
    int rank, step;
    const tti_step *is;
} place;

static bool check_peer(const place *at)
{
    const int peer = at->is->peer, size = at->checker->size;
    if (at->checker->shape->window == 0)
        return tti_check_wrong(at->checker, "rank %d step %d: the ranks share no memory", at->rank, at->step);
    if (peer == TTI_ALL || (peer >= 0 && peer < size && tti_check_shares(at->checker, at->rank, peer)))
        return true;
    return tti_check_wrong(at->checker, "rank %d step %d meets rank %d of %d, with whom it shares no memory",
                           at->rank, at->step, peer, size);
}

static bool add_post(const place *at)
{
    tti_meeter *meeter = &at->checker->meeters[at->rank];
    meeter->post[meeter->posts++] = at->checker->first[at->rank] + at->step;
    if (at->is->tag == meeter->posts && meeter->posts <= MOST_POSTS) return true;
    return tti_check_wrong(at->checker, "rank %d step %d is post %d of the rank, but bears number %d",
                           at->rank, at->step, meeter->posts, at->is->tag);
}

/* The posts of each rank, in order. */
static bool list_posts(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    place at = {checker, rank, 0, NULL};
    checker->meeters[rank] = (tti_meeter){.post = checker->posts + checker->first[rank]};
    for (at.step = 0; at.step < schedule->count; at.step++) {
        at.is = &schedule->steps[at.step];
        if (!tti_step_is_meeting(at.is)) continue;
        if (!check_peer(&at) || (at.is->kind == TTI_STEP_POST && !add_post(&at))) return false;
    }
    if (checker->meeters[rank].posts == schedule->posts) return true;
    return tti_check_wrong(checker, "rank %d makes %d posts, but says %d", rank, checker->meeters[rank].posts,
                           schedule->posts);
}

/* An AWAIT may be of this post of rank `peer`. */
static bool check_await(const place *at, int peer)
{
    const tti_meeter *meeter = &at->checker->meeters[peer];
    if (at->is->tag == 0) return true;
    if (at->is->tag > meeter->posts)
        return tti_check_wrong(at->checker, "rank %d step %d awaits post %d of rank %d, which makes %d",
                               at->rank, at->step, at->is->tag, peer, meeter->posts);
    const tti_step *post = tti_check_global(at->checker, meeter->post[at->is->tag - 1]);
    if (tti_check_meets(at->checker, peer, post, at->rank)) return true;
    return tti_check_wrong(at->checker,
                           "rank %d step %d awaits post %d of rank %d, which is for rank %d alone", at->rank,
                           at->step, at->is->tag, peer, post->peer);
}

static bool check_awaits(tti_checker *checker, int rank)
{
    const tti_schedule *schedule = tti_check_schedule(checker, rank);
    place at = {checker, rank, 0, NULL};
    for (at.step = 0; at.step < schedule->count; at.step++) {
        at.is = &schedule->steps[at.step];
        for (int peer = 0; at.is->kind == TTI_STEP_AWAIT && peer < checker->size; peer++)
            if (tti_check_meets(checker, rank, at.is, peer) && !check_await(&at, peer)) return false;
    }
    return true;
}

static bool same_step(const tti_step *a, const tti_step *b)
{
    return a->kind == b->kind && a->from_space == b->from_space && a->to_space == b->to_space &&
           a->tag == b->tag && a->peer == b->peer && a->from == b->from && a->to == b->to &&
           a->bytes == b->bytes;
}

static bool same_steps(const tti_schedule *a, const tti_schedule *b)
{
    bool same = a != NULL && b != NULL && a->count == b->count && a->window == b->window &&
                a->element == b->element && a->messages == b->messages;
    for (int i = 0; same && i < a->count; i++)
        same = same_step(&a->steps[i], &b->steps[i]);
    return same;
}

/* All have the same idea of what the last to come does. */
static bool check_same_last(tti_checker *checker, int rank)
{
    const tti_schedule *one = checker->schedules[0]->last, *other = checker->schedules[rank]->last;
    if (one == other || same_steps(one, other)) return true;
    return tti_check_wrong(checker, "ranks 0 and %d differ in what the last to come does", rank);
}

/* Whether it shows something without telling each by a message that it may be reached. */
static bool decides(const tti_schedule *schedule)
{
    const tti_shown *room = &schedule->shown[TTI_OUTPUT];
    return schedule->shown[TTI_INPUT].bytes > 0 || (room->bytes > 0 && !room->told);
}

static bool check_entered(tti_checker *checker, int rank)
{
    const int entered = tti_schedule_deciders(checker->schedules[rank]);
    for (int peer = 0; peer < checker->ranks; peer++) {
        const bool shows = tti_check_shares(checker, rank, peer) && decides(checker->schedules[peer]);
        if (shows && entered != TTI_ALL && entered != peer)
            return tti_check_wrong(checker,
                                   "rank %d does not await the beginning of rank %d, which shows its "
                                   "buffers",
                                   rank, peer);
    }
    return true;
}

bool tti_check_meetings(tti_checker *checker)
{
    for (int rank = 1; rank < checker->ranks; rank++)
        if (!check_same_last(checker, rank)) return false;
    for (int rank = 0; rank < checker->size; rank++)
        if (!list_posts(checker, rank)) return false;
    for (int rank = 0; rank < checker->size; rank++)
        if (!check_awaits(checker, rank)) return false;
    for (int rank = 0; rank < checker->ranks; rank++)
        if (!check_entered(checker, rank)) return false;
    return true;
}

/* The last to come does something when all have come, in the others' WINDOWs and its own alone. */
static bool check_played(tti_checker *checker, int step, int times)
{
    const tti_step *is = tti_check_step(checker, checker->ranks, step);
    if (times == 0)
        return tti_check_wrong(checker, "step %d of the last to come is before its first AWAIT", step);
    if (tti_step_is_meeting(is) || is->kind == TTI_STEP_COPY || is->kind == TTI_STEP_REDUCE) return true;
    return tti_check_wrong(checker, "step %d of the last to come is of kind %d, which it cannot make", step,
                           is->kind);
}

/* Who comes is counted: all come as often as the last to come awaits them, and what it awaits is its number
 * of times. */
bool tti_check_counted(tti_checker *checker)
{
    const int last = checker->ranks;
    int times = 0;
    if (checker->size == checker->ranks) return true;
    for (int i = 0; i < tti_check_schedule(checker, last)->count; i++) {
        const tti_step *step = tti_check_step(checker, last, i);
        if (step->kind == TTI_STEP_AWAIT && (step->peer != TTI_ALL || step->tag != ++times))
            return tti_check_wrong(checker, "the last to come awaits post %d, where all have come %d times",
                                   step->tag, times);
        if (!check_played(checker, i, times)) return false;
    }
    for (int rank = 0; rank < checker->ranks; rank++)
        for (int i = 0; i <= checker->meeters[rank].posts; i++) {
            const bool more = i < checker->meeters[rank].posts;
            if (more ? tti_check_global(checker, checker->meeters[rank].post[i])->peer != last : i != times)
                return tti_check_wrong(checker, "rank %d does not come %d times to the last, and to it alone",
                                       rank, times);
        }
    return true;
}
