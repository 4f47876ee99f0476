/* SPDX-License-Identifier: BSD-3-Clause */
/* The form of POST and AWAIT: posts are numbered through, and each AWAIT is of a post that exists and that
 * the rank may await. */
#include "collectives/proof/check.h"

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
    const tti_schedule *schedule = checker->schedules[rank];
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
    if (at->is->tag == 0 || at->is->tag > meeter->posts)
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
    const tti_schedule *schedule = checker->schedules[rank];
    place at = {checker, rank, 0, NULL};
    for (at.step = 0; at.step < schedule->count; at.step++) {
        at.is = &schedule->steps[at.step];
        for (int peer = 0; at.is->kind == TTI_STEP_AWAIT && peer < checker->size; peer++)
            if (tti_check_meets(checker, rank, at.is, peer) && !check_await(&at, peer)) return false;
    }
    return true;
}

bool tti_check_meetings(tti_checker *checker)
{
    for (int rank = 0; rank < checker->size; rank++)
        if (!list_posts(checker, rank)) return false;
    for (int rank = 0; rank < checker->size; rank++)
        if (!check_awaits(checker, rank)) return false;
    return true;
}
