/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts whose sizes only two ranks know, and which yet share a message: each has a slot, as large as others,
 * and a number that tells its size, by which those that pass slots on move no more than is used (need.h).
 * What is too long for a slot goes by itself, and only its number is here.
 *
 *   numbers │ 64 bytes of each slot │ 192 more of each │ …         a part of 100 bytes is in two layers */
#ifndef TTI_COMPOSE_SLOTS_H
#define TTI_COMPOSE_SLOTS_H

#include "collectives/contract/algorithm.h"

typedef struct {
    int numbers, slots; /* more numbers than slots: of what several ranks read each has its own. No number:
                           plain ones, in which parts are that fill them, one behind the other */
    size_t most;        /* bytes of a slot; 0: there are none */
} tti_slots;

/* Slots in some memory: the caller's own (TTI_OWN), or a peer's WINDOW. */
typedef struct {
    tti_slots slots;
    int owner;
    tti_place at;
} tti_slots_at;

/* A part's number and slot, or the first of several; or how many. */
typedef struct {
    int number, slot;
} tti_slot;

/* As deep as so many may be of which all together have `room` bytes, but no deeper than a chunk and `most`.
 */
tti_slots tti_slots_make(const tti_shape *shape, tti_slot count, size_t room, size_t most);
size_t tti_slots_bytes(const tti_slots *slots);
static inline bool tti_slots_plain(const tti_slots *slots)
{
    return slots->numbers == 0;
}
/* Whether a part of so many bytes has room. */
static inline bool tti_slots_take(const tti_slots *slots, size_t bytes)
{
    return slots->most > 0 && bytes <= slots->most;
}

/* SCRATCH for them. */
tti_slots_at tti_slots_scratch(tti_builder *builder, tti_slots slots);
/* Tells the size of a part of the caller's; puts it into its slot, if it is short enough. */
void tti_slots_tell(tti_builder *builder, const tti_slots_at *to, int number, size_t bytes);
void tti_slots_put(tti_builder *builder, const tti_slots_at *to, int slot, tti_place from, size_t bytes);
/* Takes a part of rank `about` out of its slot, if it is there; its size must be the one told. */
void tti_slots_get(tti_builder *builder, const tti_slots_at *from, tti_slot which, tti_place to, size_t bytes,
                   int about);

/* Copies so many numbers and slots, from the first of each on, to others on, of the caller's. */
void tti_slots_move(tti_builder *builder, const tti_slots_at *from, tti_slot first, const tti_slots_at *to,
                    tti_slot target, tti_slot count);
/* Some of plain ones. */
tti_slots_at tti_slots_some(const tti_slots_at *of, int slot, int count);
/* All of them as one message. */
void tti_slots_send(tti_builder *builder, const tti_slots_at *from, int peer, int tag);
void tti_slots_recv(tti_builder *builder, const tti_slots_at *to, int peer, int tag);

#endif
