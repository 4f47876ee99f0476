/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps on the memory that the ranks of a node share. */
#include <stdint.h>

#include "collectives/schedule/builder_state.h"

/* A step with its source in a peer's WINDOW, which is no place of this rank's. */
static int look(tti_builder *builder, enum tti_step_kind kind, int peer, size_t offset)
{
    const int step = tti_build_step(builder, kind, peer, 0);
    if (step < 0) return -1;
    builder->steps[step].from_space = TTI_WINDOW;
    builder->steps[step].from = offset;
    tti_build_after(builder, builder->meeting);
    return step;
}

static int from_window(tti_builder *builder, enum tti_step_kind kind, int peer, size_t offset, tti_place to,
                       size_t bytes)
{
    const int step = bytes > 0 ? look(builder, kind, peer, offset) : -1;
    tti_build_writes(builder, step, to, bytes);
    return step;
}

int tti_build_copy_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes)
{
    return from_window(builder, TTI_STEP_COPY, peer, offset, to, bytes);
}

int tti_build_reduce_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes)
{
    return from_window(builder, TTI_STEP_REDUCE, peer, offset, to, bytes);
}

int tti_build_tell(tti_builder *builder, size_t offset, size_t number)
{
    const int step = tti_build_step(builder, TTI_STEP_TELL, TTI_OWN, 0);
    tti_build_writes(builder, step, tti_place_at(TTI_WINDOW, offset), TTI_STEP_WORD);
    if (step >= 0) builder->steps[step].from = number;
    return step;
}

int tti_build_compare(tti_builder *builder, int peer, size_t offset, size_t number)
{
    const int step = look(builder, TTI_STEP_COMPARE, peer, offset);
    if (step < 0) return -1;
    builder->steps[step].bytes = TTI_STEP_WORD;
    builder->steps[step].to = number;
    return step;
}

static bool is_shown(const tti_step *step)
{
    if (tti_step_is_meeting(step)) return false;
    return (step->to_space == TTI_WINDOW && tti_step_writes(step)) ||
           (step->peer >= 0 && !tti_step_is_message(step));
}

static int add_meeting(tti_builder *builder, enum tti_step_kind kind, int peer, int number)
{
    const int step = tti_build_step(builder, kind, peer, 0);
    if (step < 0) return -1;
    if (number > UINT16_MAX) builder->tag_too_large = true;
    builder->steps[step].tag = (uint16_t)number;
    tti_build_after(builder, builder->meeting);
    builder->meeting = step;
    return step;
}

int tti_build_post(tti_builder *builder, int peer)
{
    const int step = add_meeting(builder, TTI_STEP_POST, peer, ++builder->posts);
    for (; builder->unposted < step; builder->unposted++)
        if (is_shown(&builder->steps[builder->unposted])) tti_build_after(builder, builder->unposted);
    return step;
}

int tti_build_await_post(tti_builder *builder, int peer, int number)
{
    return add_meeting(builder, TTI_STEP_AWAIT, peer, number);
}
