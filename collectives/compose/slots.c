/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/slots.h"

#include "collectives/compose/window_blocks.h"

tti_slots tti_slots_make(const tti_shape *shape, tti_slot count, size_t room, size_t most)
{
    const size_t each = room / (size_t)count.slot, chunk = tti_lines(shape->chunk);
    if (chunk < most) most = chunk;
    if (each < most) most = each;
    return (tti_slots){count.number, count.slot, most / TTI_LINE * TTI_LINE};
}

static size_t head_of(const tti_slots *slots)
{
    return tti_lines((size_t)slots->numbers * TTI_STEP_WORD);
}

size_t tti_slots_bytes(const tti_slots *slots)
{
    return slots->most > 0 ? head_of(slots) + (size_t)slots->slots * slots->most : 0;
}

tti_slots_at tti_slots_scratch(tti_builder *builder, tti_slots slots)
{
    return (tti_slots_at){slots, TTI_OWN, tti_build_scratch(builder, tti_slots_bytes(&slots))};
}

static tti_place number_at(const tti_slots_at *of, int number)
{
    return tti_place_plus(of->at, (size_t)number * TTI_STEP_WORD);
}

/* Layer [low, high) of a slot. */
static tti_place layer_at(const tti_slots_at *of, int slot, size_t low, size_t high)
{
    const size_t above = (size_t)of->slots.slots * low, before = (size_t)slot * (high - low);
    return tti_place_plus(of->at, head_of(&of->slots) + above + before);
}

/* Returns the step. */
static int copy(tti_builder *builder, const tti_slots_at *of, tti_place from, tti_place to, size_t bytes)
{
    if (of->owner == TTI_OWN) return tti_build_copy(builder, from, to, bytes);
    return tti_build_copy_from(builder, of->owner, from.offset, to, bytes);
}

void tti_slots_tell(tti_builder *builder, const tti_slots_at *to, int number, size_t bytes)
{
    if (!tti_slots_plain(&to->slots)) tti_build_tell(builder, number_at(to, number), bytes);
}

/* Where the layer ends that begins so deep. */
static size_t end_of_layer(const tti_slots *slots, size_t low)
{
    return tti_slots_plain(slots) ? slots->most : tti_need_depth(slots->most, low + 1);
}

void tti_slots_put(tti_builder *builder, const tti_slots_at *to, int slot, tti_place from, size_t bytes)
{
    if (!tti_slots_take(&to->slots, bytes)) return;
    for (size_t low = 0, high; low < bytes; low = high) {
        high = end_of_layer(&to->slots, low);
        tti_build_copy(builder, tti_place_plus(from, low), layer_at(to, slot, low, high),
                       (bytes < high ? bytes : high) - low);
    }
}

void tti_slots_get(tti_builder *builder, const tti_slots_at *from, tti_slot which, tti_place to, size_t bytes,
                   int about)
{
    if (!tti_slots_plain(&from->slots))
        tti_build_compare_passed(builder, from->owner, number_at(from, which.number), bytes, about);
    if (!tti_slots_take(&from->slots, bytes)) return;
    for (size_t low = 0, high; low < bytes; low = high) {
        high = end_of_layer(&from->slots, low);
        copy(builder, from, layer_at(from, which.slot, low, high), tti_place_plus(to, low),
             (bytes < high ? bytes : high) - low);
    }
}

/* All of the first layer moves, of others what is needed. */
void tti_slots_move(tti_builder *builder, const tti_slots_at *from, tti_slot first, const tti_slots_at *to,
                    tti_slot target, tti_slot count)
{
    const tti_place numbers = number_at(from, first.number);
    if (!tti_slots_plain(&from->slots))
        copy(builder, from, numbers, number_at(to, target.number), (size_t)count.number * TTI_STEP_WORD);
    for (size_t low = 0, high; low < from->slots.most; low = high) {
        high = end_of_layer(&from->slots, low);
        const tti_place layer = layer_at(from, first.slot, low, high);
        const size_t bytes = (size_t)count.slot * (high - low);
        const int step = copy(builder, from, layer, layer_at(to, target.slot, low, high), bytes);
        const tti_need need = {.before = layer.offset - numbers.offset,
                               .count = count.number,
                               .most = from->slots.most,
                               .over = low,
                               .head = bytes};
        if (low > 0) tti_build_need(builder, step, need);
    }
}

tti_slots_at tti_slots_some(const tti_slots_at *of, int slot, int count)
{
    return (tti_slots_at){{0, count, of->slots.most}, of->owner, layer_at(of, slot, 0, of->slots.most)};
}

static void set_need(tti_builder *builder, int step, const tti_slots *slots)
{
    const tti_need need = {
        .count = slots->numbers, .most = slots->most, .head = head_of(slots), .slots = (size_t)slots->slots};
    if (!tti_slots_plain(slots)) tti_build_need(builder, step, need);
}

void tti_slots_send(tti_builder *builder, const tti_slots_at *from, int peer, int tag)
{
    const int step = tti_build_send(builder, from->at, tti_slots_bytes(&from->slots), peer, tag);
    set_need(builder, step, &from->slots);
}

void tti_slots_recv(tti_builder *builder, const tti_slots_at *to, int peer, int tag)
{
    const int step = tti_build_recv(builder, to->at, tti_slots_bytes(&to->slots), peer, tag);
    set_need(builder, step, &to->slots);
}
