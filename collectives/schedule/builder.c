/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/schedule/builder_state.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One that is not in use, whose memory the next one has: calls whose parts differ each time build one after
 * the other. Of more steps none is kept. Under the lock. */
static tti_builder *at_rest;
#define REST_STEPS 4096

static tti_builder *take_one(void)
{
    tti_builder *builder = at_rest;
    if (builder == NULL) return calloc(1, sizeof *builder);
    at_rest = NULL;
    const tti_builder old = *builder;
    *builder = (tti_builder){.steps = old.steps,
                             .before_start = old.before_start,
                             .seen = old.seen,
                             .room = old.room,
                             .before = old.before,
                             .before_room = old.before_room};
    memcpy(builder->spaces, old.spaces, sizeof builder->spaces);
    return builder;
}

static void free_one(tti_builder *builder)
{
    for (int s = 0; s < TTI_SPACES; s++)
        tti_access_close(&builder->spaces[s]);
    free(builder->steps);
    free(builder->before_start);
    free(builder->before);
    free(builder->seen);
    free(builder);
}

void tti_build_close(tti_builder *builder)
{
    tti_build_forget(builder);
    free(builder->needs);
    if (at_rest == NULL && builder->room <= REST_STEPS && builder->before_room <= 4 * REST_STEPS)
        at_rest = builder;
    else
        free_one(builder);
}

tti_builder *tti_build_begin(size_t element)
{
    tti_builder *builder = take_one();
    if (builder == NULL) return NULL;
    builder->element = element;
    builder->meeting = -1;
    builder->shares[TTI_WINDOW] = true;
    for (int s = 0; s < TTI_SPACES; s++)
        tti_access_reset(&builder->spaces[s], SIZE_MAX, 0);
    tti_build_whole(builder);
    return builder;
}

size_t tti_build_whole_elements(const tti_builder *builder, size_t bytes)
{
    return bytes > builder->element ? bytes / builder->element * builder->element : builder->element;
}

static bool grow_steps(tti_builder *builder)
{
    if (builder->count < builder->room) return true;
    const int room = builder->room * 2 + 16;
    tti_step *steps = realloc(builder->steps, (size_t)room * sizeof *steps);
    if (steps != NULL) builder->steps = steps;
    int *starts = realloc(builder->before_start, (size_t)room * sizeof *starts);
    if (starts != NULL) builder->before_start = starts;
    int *seen = realloc(builder->seen, (size_t)room * sizeof *seen);
    if (seen != NULL) builder->seen = seen;
    if (steps == NULL || starts == NULL || seen == NULL) return false;
    builder->room = room;
    return true;
}

void tti_build_after(tti_builder *builder, int earlier)
{
    const int step = builder->count - 1;
    if (builder->out_of_memory || earlier < 0 || builder->seen[earlier] == step) return;
    if (builder->before_count == builder->before_room) {
        const int room = builder->before_room * 2 + 32;
        int *before = realloc(builder->before, (size_t)room * sizeof *before);
        if (before == NULL) {
            builder->out_of_memory = true;
            return;
        }
        builder->before = before;
        builder->before_room = room;
    }
    builder->before[builder->before_count++] = earlier;
    builder->seen[earlier] = step;
}

static void depend(void *context, int earlier)
{
    tti_build_after(context, earlier);
}

int tti_build_step(tti_builder *builder, enum tti_step_kind kind, int peer, int tag)
{
    if (tag < 0 || tag >= builder->tags) builder->tag_too_large = true;
    if (!grow_steps(builder)) builder->out_of_memory = true;
    if (builder->out_of_memory) return -1;
    const int step = builder->count++;
    if (builder->members != NULL && peer >= 0) peer = builder->members[peer];
    builder->steps[step] = (tti_step){.kind = (uint8_t)kind, .peer = peer, .tag = builder->tag + tag};
    builder->before_start[step] = builder->before_count;
    builder->seen[step] = -1;
    for (int i = builder->fence_begin; i < builder->fence_end; i++)
        tti_build_after(builder, i);
    return step;
}

tti_place tti_build_find(const tti_builder *builder, tti_place place)
{
    return tti_place_plus(builder->base[place.space], place.offset);
}

/* INPUT is never written: who has read there orders nothing. */
void tti_build_sees(tti_builder *builder, int step, int space, size_t low, size_t high)
{
    if (space == TTI_INPUT) return;
    tti_access_read(&builder->spaces[space], low, high, step, depend, builder);
}

void tti_build_reads(tti_builder *builder, int step, tti_place place, size_t bytes)
{
    if (step < 0) return;
    place = tti_build_find(builder, place);
    builder->steps[step].from_space = (uint8_t)place.space;
    builder->steps[step].from = place.offset;
    builder->steps[step].bytes = bytes;
    tti_build_sees(builder, step, place.space, place.offset, place.offset + bytes);
}

void tti_build_writes(tti_builder *builder, int step, tti_place place, size_t bytes)
{
    if (step < 0) return;
    place = tti_build_find(builder, place);
    if (place.space == TTI_WINDOW && builder->window < place.offset + bytes)
        builder->window = place.offset + bytes;
    if (builder->shares[place.space]) tti_build_after(builder, builder->meeting);
    builder->steps[step].to_space = (uint8_t)place.space;
    builder->steps[step].to = place.offset;
    builder->steps[step].bytes = bytes;
    tti_access_write(&builder->spaces[place.space], place.offset, place.offset + bytes, step, depend,
                     builder);
}

int tti_build_send(tti_builder *builder, tti_place from, size_t bytes, int peer, int tag)
{
    if (bytes == 0) return -1;
    const int step = tti_build_step(builder, TTI_STEP_SEND, peer, tag);
    tti_build_reads(builder, step, from, bytes);
    return step;
}

int tti_build_recv(tti_builder *builder, tti_place to, size_t bytes, int peer, int tag)
{
    if (bytes == 0) return -1;
    const int step = tti_build_step(builder, TTI_STEP_RECV, peer, tag);
    tti_build_writes(builder, step, to, bytes);
    return step;
}

int tti_build_copy(tti_builder *builder, tti_place from, tti_place to, size_t bytes)
{
    if (bytes == 0 || (from.space == to.space && from.offset == to.offset)) return -1;
    const int step = tti_build_step(builder, TTI_STEP_COPY, TTI_OWN, 0);
    tti_build_reads(builder, step, from, bytes);
    tti_build_writes(builder, step, to, bytes);
    return step;
}

int tti_build_reduce(tti_builder *builder, tti_place from, tti_place to, size_t bytes)
{
    if (bytes == 0) return -1;
    const int step = tti_build_step(builder, TTI_STEP_REDUCE, TTI_OWN, 0);
    tti_build_reads(builder, step, from, bytes);
    tti_build_writes(builder, step, to, bytes);
    return step;
}

int tti_build_signal(tti_builder *builder, int peer, int tag)
{
    return tti_build_step(builder, TTI_STEP_SEND, peer, tag);
}

int tti_build_await(tti_builder *builder, int peer, int tag)
{
    return tti_build_step(builder, TTI_STEP_RECV, peer, tag);
}

tti_place tti_build_scratch(tti_builder *builder, size_t bytes)
{
    const size_t offset = builder->scratch;
    builder->scratch += tti_lines(bytes);
    return tti_place_at(TTI_SCRATCH, offset);
}

void tti_build_part(tti_builder *builder, const int *members)
{
    builder->members = members;
}

void tti_build_place(tti_builder *builder, tti_place input, tti_place output, int tag, int tags)
{
    builder->base[TTI_INPUT] = input;
    builder->base[TTI_OUTPUT] = output;
    builder->base[TTI_SCRATCH] = tti_place_at(TTI_SCRATCH, 0);
    builder->base[TTI_WINDOW] = tti_place_at(TTI_WINDOW, 0);
    builder->tag = tag;
    builder->tags = tags;
}

void tti_build_whole(tti_builder *builder)
{
    tti_build_part(builder, NULL);
    tti_build_place(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, 0), 0, TTI_BUILD_TAGS);
}

void tti_build_fence(tti_builder *builder)
{
    if (builder->count == builder->fence_end) return;
    /* Those before the last fence are waited for by those after it. */
    builder->fence_begin = builder->fence_end;
    builder->fence_end = builder->count;
}

/* Stands before the memory that algorithms ask for. */
struct tti_builder_memory {
    struct tti_builder_memory *next;
    size_t words[];
};

void *tti_build_memory(tti_builder *builder, int count, size_t width)
{
    struct tti_builder_memory *memory = malloc(sizeof *memory + ((size_t)count + 1) * width);
    if (memory == NULL) {
        builder->out_of_memory = true;
        return NULL;
    }
    memory->next = builder->memory;
    builder->memory = memory;
    return memory->words;
}

int *tti_build_numbers(tti_builder *builder, int count)
{
    return tti_build_memory(builder, count, sizeof(int));
}

size_t *tti_build_sizes(tti_builder *builder, int count)
{
    return tti_build_memory(builder, count, sizeof(size_t));
}

void tti_build_forget(tti_builder *builder)
{
    while (builder->memory != NULL) {
        struct tti_builder_memory *next = builder->memory->next;
        free(builder->memory);
        builder->memory = next;
    }
}
