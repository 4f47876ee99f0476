/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/schedule/builder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"

#define SCRATCH_ALIGN ((size_t)64)

struct tti_builder {
    tti_step *steps;
    int *before_start; /* predecessors of step i begin at before[before_start[i]] */
    int count, room;
    int *before;
    int before_count, before_room;
    int *seen; /* seen[i] == j: step j already depends on i */
    size_t scratch, element;
    tti_access_map spaces[TTI_SPACES];
    const int *members;         /* of the part under way; NULL: all ranks */
    tti_place base[TTI_SPACES]; /* where the part's spaces begin */
    int tag, tags;              /* its first tag, and how many it may have */
    int fence_begin, fence_end; /* steps that every new step waits for */
    int *numbers;               /* of tti_build_numbers() */
    bool out_of_memory, tag_too_large;
};

tti_builder *tti_build_begin(size_t element)
{
    tti_builder *builder = calloc(1, sizeof *builder);
    if (builder == NULL) return NULL;
    builder->element = element;
    for (int s = 0; s < TTI_SPACES; s++)
        tti_access_reset(&builder->spaces[s], SIZE_MAX, 0);
    tti_build_whole(builder);
    return builder;
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

static int add(tti_builder *builder, enum tti_step_kind kind, int peer, int tag)
{
    if (tag < 0 || tag >= builder->tags) builder->tag_too_large = true;
    if (!grow_steps(builder)) builder->out_of_memory = true;
    if (builder->out_of_memory) return -1;
    const int step = builder->count++;
    if (builder->members != NULL) peer = builder->members[peer];
    builder->steps[step] =
        (tti_step){.kind = (uint8_t)kind, .peer = peer, .tag = (uint16_t)(builder->tag + tag)};
    builder->before_start[step] = builder->before_count;
    builder->seen[step] = -1;
    for (int i = builder->fence_begin; i < builder->fence_end; i++)
        tti_build_after(builder, i);
    return step;
}

static tti_place find(const tti_builder *builder, tti_place place)
{
    return tti_place_plus(builder->base[place.space], place.offset);
}

static void reads(tti_builder *builder, int step, tti_place place, size_t bytes)
{
    if (step < 0) return;
    place = find(builder, place);
    builder->steps[step].from_space = (uint8_t)place.space;
    builder->steps[step].from = place.offset;
    builder->steps[step].bytes = bytes;
    tti_access_read(&builder->spaces[place.space], place.offset, place.offset + bytes, step, depend, builder);
}

static void writes(tti_builder *builder, int step, tti_place place, size_t bytes)
{
    if (step < 0) return;
    place = find(builder, place);
    builder->steps[step].to_space = (uint8_t)place.space;
    builder->steps[step].to = place.offset;
    builder->steps[step].bytes = bytes;
    tti_access_write(&builder->spaces[place.space], place.offset, place.offset + bytes, step, depend,
                     builder);
}

int tti_build_send(tti_builder *builder, tti_place from, size_t bytes, int peer, int tag)
{
    if (bytes == 0) return -1;
    const int step = add(builder, TTI_STEP_SEND, peer, tag);
    reads(builder, step, from, bytes);
    return step;
}

int tti_build_recv(tti_builder *builder, tti_place to, size_t bytes, int peer, int tag)
{
    if (bytes == 0) return -1;
    const int step = add(builder, TTI_STEP_RECV, peer, tag);
    writes(builder, step, to, bytes);
    return step;
}

int tti_build_copy(tti_builder *builder, tti_place from, tti_place to, size_t bytes)
{
    if (bytes == 0 || (from.space == to.space && from.offset == to.offset)) return -1;
    const int step = add(builder, TTI_STEP_COPY, 0, 0);
    reads(builder, step, from, bytes);
    writes(builder, step, to, bytes);
    return step;
}

int tti_build_reduce(tti_builder *builder, tti_place from, tti_place to, size_t bytes)
{
    if (bytes == 0) return -1;
    const int step = add(builder, TTI_STEP_REDUCE, 0, 0);
    reads(builder, step, from, bytes);
    writes(builder, step, to, bytes);
    return step;
}

int tti_build_signal(tti_builder *builder, int peer, int tag)
{
    return add(builder, TTI_STEP_SEND, peer, tag);
}

int tti_build_await(tti_builder *builder, int peer, int tag)
{
    return add(builder, TTI_STEP_RECV, peer, tag);
}

tti_place tti_build_scratch(tti_builder *builder, size_t bytes)
{
    const size_t offset = builder->scratch;
    builder->scratch += (bytes + SCRATCH_ALIGN - 1) & ~(SCRATCH_ALIGN - 1);
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

int *tti_build_numbers(tti_builder *builder, int count)
{
    free(builder->numbers);
    builder->numbers = malloc(((size_t)count + 1) * sizeof *builder->numbers);
    if (builder->numbers == NULL) builder->out_of_memory = true;
    return builder->numbers;
}

static void close_builder(tti_builder *builder)
{
    free(builder->numbers);
    for (int s = 0; s < TTI_SPACES; s++)
        tti_access_close(&builder->spaces[s]);
    free(builder->steps);
    free(builder->before_start);
    free(builder->before);
    free(builder->seen);
    free(builder);
}

static bool failed(const tti_builder *builder)
{
    bool any = builder->out_of_memory;
    for (int s = 0; s < TTI_SPACES; s++)
        any = any || builder->spaces[s].failed;
    return any;
}

/* Turns the predecessor lists into counts and successor lists. */
static void link_steps(const tti_builder *builder, tti_schedule *schedule)
{
    const int count = builder->count;
    int *start = schedule->next_start;
    for (int i = 0; i < builder->before_count; i++)
        start[builder->before[i] + 1]++;
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
    int *fill = builder->seen; /* no longer needed: now the next free place of each list */
    memcpy(fill, start, (size_t)count * sizeof *fill);
    for (int step = 0; step < count; step++) {
        const int end = step + 1 < count ? builder->before_start[step + 1] : builder->before_count;
        schedule->waits[step] = end - builder->before_start[step];
        for (int i = builder->before_start[step]; i < end; i++)
            schedule->next[fill[builder->before[i]]++] = step;
    }
}

static tti_schedule *make(tti_builder *builder)
{
    const size_t count = (size_t)builder->count;
    tti_schedule *schedule = calloc(1, sizeof *schedule);
    if (schedule == NULL) return NULL;
    schedule->steps = malloc((count + 1) * sizeof *schedule->steps);
    schedule->waits = malloc((count + 1) * sizeof *schedule->waits);
    schedule->next_start = calloc(count + 1, sizeof *schedule->next_start);
    schedule->next = malloc(((size_t)builder->before_count + 1) * sizeof *schedule->next);
    if (schedule->steps == NULL || schedule->waits == NULL || schedule->next_start == NULL ||
        schedule->next == NULL) {
        tti_schedule_free(schedule);
        return NULL;
    }
    schedule->count = builder->count;
    schedule->scratch = builder->scratch;
    schedule->element = builder->element;
    if (count == 0) return schedule;
    memcpy(schedule->steps, builder->steps, count * sizeof *schedule->steps);
    for (size_t i = 0; i < count; i++)
        schedule->messages += builder->steps[i].kind <= TTI_STEP_RECV;
    link_steps(builder, schedule);
    return schedule;
}

int tti_build_finish(tti_builder *builder, tti_schedule **schedule)
{
    const bool too_large = builder->tag_too_large;
    const int count = builder->count;
    tti_schedule *made = failed(builder) ? NULL : make(builder);
    close_builder(builder);
    if (too_large) {
        tti_schedule_free(made);
        return tti_fail(TUTTI_ERR_LIMIT,
                        "a collective's algorithm needs more than %d messages between two ranks; choose "
                        "another one or a larger chunk",
                        TTI_BUILD_TAGS);
    }
    if (made == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a collective's schedule of %d steps", count);
    *schedule = made;
    return 0;
}

void tti_schedule_free(tti_schedule *schedule)
{
    if (schedule == NULL) return;
    free(schedule->steps);
    free(schedule->waits);
    free(schedule->next_start);
    free(schedule->next);
    free(schedule);
}
