/* SPDX-License-Identifier: BSD-3-Clause */
/* A builder from the inside. */
#ifndef TTI_SCHEDULE_BUILDER_STATE_H
#define TTI_SCHEDULE_BUILDER_STATE_H

#include "collectives/schedule/builder.h"

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
    int meeting;                /* the last POST or AWAIT; -1: none yet */
    int unposted;               /* steps from here on may have done what the next POST shows */
    int posts;
    size_t window;
    tti_need *needs;
    int need_count, need_room;
    tti_shown shown[TTI_SHOWN];
    bool shares[TTI_SPACES];           /* others may read there */
    struct tti_builder_memory *memory; /* of tti_build_memory() */
    bool out_of_memory, tag_too_large;
};

/* Frees what tti_build_memory() gave. */
void tti_build_forget(tti_builder *builder);
/* Gives the builder back. */
void tti_build_close(tti_builder *builder);
/* A new step, without bytes; -1 if memory is out. */
int tti_build_step(tti_builder *builder, enum tti_step_kind kind, int peer, int tag);
/* Where a place of the part under way is. */
tti_place tti_build_find(const tti_builder *builder, tti_place place);
/* The newest step reads [low, high) of a space. */
void tti_build_sees(tti_builder *builder, int step, int space, size_t low, size_t high);
/* The newest step reads, writes there; nothing happens for step -1. */
void tti_build_reads(tti_builder *builder, int step, tti_place place, size_t bytes);
void tti_build_writes(tti_builder *builder, int step, tti_place place, size_t bytes);

#endif
