/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps on the memory that the ranks of a node share. */
#include <stdint.h>
#include <stdlib.h>

#include "collectives/schedule/builder_state.h"

/* A step with its source at a peer, which is no place of this rank's. */
static int look(tti_builder *builder, enum tti_step_kind kind, int peer, tti_place from)
{
    const int step = tti_build_step(builder, kind, peer, 0);
    if (step < 0) return -1;
    builder->steps[step].from_space = (uint8_t)from.space;
    builder->steps[step].from = from.offset;
    tti_build_after(builder, builder->meeting);
    return step;
}

static int from_peer(tti_builder *builder, enum tti_step_kind kind, int peer, tti_place from, tti_place to,
                     size_t bytes)
{
    const int step = bytes > 0 ? look(builder, kind, peer, from) : -1;
    tti_build_writes(builder, step, to, bytes);
    return step;
}

int tti_build_copy_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes)
{
    return from_peer(builder, TTI_STEP_COPY, peer, tti_place_at(TTI_WINDOW, offset), to, bytes);
}

int tti_build_reduce_from(tti_builder *builder, int peer, size_t offset, tti_place to, size_t bytes)
{
    return from_peer(builder, TTI_STEP_REDUCE, peer, tti_place_at(TTI_WINDOW, offset), to, bytes);
}

int tti_build_copy_shown(tti_builder *builder, int peer, tti_place from, tti_place to, size_t bytes)
{
    return from_peer(builder, TTI_STEP_COPY, peer, from, to, bytes);
}

int tti_build_reduce_shown(tti_builder *builder, int peer, tti_place from, tti_place to, size_t bytes)
{
    return from_peer(builder, TTI_STEP_REDUCE, peer, from, to, bytes);
}

int tti_build_put(tti_builder *builder, int peer, tti_place from, size_t offset, size_t bytes)
{
    const int step = bytes > 0 ? tti_build_step(builder, TTI_STEP_PUT, peer, 0) : -1;
    if (step < 0) return -1;
    tti_build_reads(builder, step, from, bytes);
    builder->steps[step].to_space = TTI_OUTPUT;
    builder->steps[step].to = offset;
    tti_build_after(builder, builder->meeting);
    return step;
}

int tti_build_put_told(tti_builder *builder, int peer, tti_place from, tti_place number, size_t bytes)
{
    const int step = tti_build_put(builder, peer, from, 0, bytes);
    if (step < 0) return -1;
    number = tti_build_find(builder, number);
    builder->steps[step].to_space = (uint8_t)number.space;
    builder->steps[step].to = number.offset;
    tti_build_sees(builder, step, number.space, number.offset, number.offset + TTI_STEP_WORD);
    return step;
}

void tti_build_show(tti_builder *builder, enum tti_space as, tti_place place, size_t bytes)
{
    place = tti_build_find(builder, place);
    builder->shown[as] = (tti_shown){.space = (uint8_t)place.space, .at = place.offset, .bytes = bytes};
    builder->shares[place.space] = true;
}

void tti_build_show_room(tti_builder *builder, tti_place place, size_t bytes, bool told)
{
    tti_build_show(builder, TTI_OUTPUT, place, bytes);
    builder->shown[TTI_OUTPUT].written = true;
    builder->shown[TTI_OUTPUT].told = told;
}

int tti_build_tell(tti_builder *builder, tti_place to, size_t number)
{
    const int step = tti_build_step(builder, TTI_STEP_TELL, TTI_OWN, 0);
    tti_build_writes(builder, step, to, TTI_STEP_WORD);
    if (step >= 0) builder->steps[step].from = number;
    return step;
}

int tti_build_compare(tti_builder *builder, int peer, size_t offset, size_t number)
{
    return tti_build_compare_passed(builder, peer, tti_place_at(TTI_WINDOW, offset), number, peer);
}

int tti_build_compare_passed(tti_builder *builder, int peer, tti_place from, size_t number, int about)
{
    const int step = look(builder, TTI_STEP_COMPARE, peer, from);
    if (step < 0) return -1;
    if (peer == TTI_OWN) tti_build_reads(builder, step, from, TTI_STEP_WORD);
    builder->steps[step].bytes = TTI_STEP_WORD;
    builder->steps[step].to = number;
    builder->steps[step].about = builder->members != NULL ? builder->members[about] : about;
    return step;
}

static bool grow_needs(tti_builder *builder)
{
    if (builder->need_count < builder->need_room) return true;
    const int room = builder->need_room * 2 + 16;
    tti_need *needs = realloc(builder->needs, (size_t)room * sizeof *needs);
    if (needs == NULL) return false;
    builder->needs = needs;
    builder->need_room = room;
    return true;
}

/* The numbers are read as well. */
void tti_build_need(tti_builder *builder, int step, tti_need need)
{
    if (step < 0) return;
    if (!grow_needs(builder)) builder->out_of_memory = true;
    if (builder->need_count == UINT16_MAX) builder->tag_too_large = true;
    if (builder->out_of_memory || builder->tag_too_large) return;
    tti_step *made = &builder->steps[step];
    builder->needs[builder->need_count++] = need;
    made->need = (uint16_t)builder->need_count;
    if (!tti_step_reads(made) || tti_step_reads_peer(made)) return;
    const size_t at = made->from - need.before;
    tti_build_sees(builder, step, made->from_space, at, at + (size_t)need.count * TTI_STEP_WORD);
}

void tti_build_window(tti_builder *builder, size_t bytes)
{
    if (builder->window < bytes) builder->window = bytes;
}

static bool is_shown(const tti_builder *builder, const tti_step *step)
{
    if (tti_step_is_meeting(step)) return false;
    return (tti_step_writes(step) && builder->shares[step->to_space]) ||
           (step->peer >= 0 && !tti_step_is_message(step));
}

static int add_meeting(tti_builder *builder, enum tti_step_kind kind, int peer, int number)
{
    const int step = tti_build_step(builder, kind, peer, 0);
    if (step < 0) return -1;
    if (number > TTI_STEP_POSTS) builder->tag_too_large = true;
    builder->steps[step].tag = number;
    tti_build_after(builder, builder->meeting);
    builder->meeting = step;
    return step;
}

int tti_build_post(tti_builder *builder, int peer)
{
    const int step = add_meeting(builder, TTI_STEP_POST, peer, ++builder->posts);
    for (; builder->unposted < step; builder->unposted++)
        if (is_shown(builder, &builder->steps[builder->unposted]))
            tti_build_after(builder, builder->unposted);
    return step;
}

int tti_build_await_post(tti_builder *builder, int peer, int number)
{
    return add_meeting(builder, TTI_STEP_AWAIT, peer, number);
}
