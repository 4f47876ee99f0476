/* SPDX-License-Identifier: BSD-3-Clause */
/* What an agreement (agree_state.h) is about, and what a rank keeps of it. */
#ifndef TTI_AGREE_TYPES_H
#define TTI_AGREE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What ranks make an agreement for: all for the same, or it is TTI_AGREE_MIXED. */
enum tti_agree_kind {
    TTI_AGREE_FLAGS,   /* tutti_comm_agree() */
    TTI_AGREE_MEMBERS, /* tutti_comm_shrink(): who is left, and a context for them */
    TTI_AGREE_RESTORE, /* tutti_comm_restore(): the same */
    TTI_AGREE_KEEP,    /* tutti_keep(): whether a version counts */
    TTI_AGREE_FREED    /* the last one of a communicator: this rank has freed it. Nobody waits for it */
};
#define TTI_AGREE_MIXED UINT32_MAX

/* What ranks say, and what they agree on. Sets of ranks: bit r % 64 of word r / 64. */
typedef struct {
    uint64_t flags; /* and of all */
    uint64_t offer; /* the deciding rank's; of DOUBT, who holds the receiver for dead */
    uint32_t kind;  /* TTI_AGREE_* */
    bool noted;     /* all have said the same failed ranks, and that their programs have taken note of them */
    uint64_t *failed;
} tti_agree_value;

enum tti_agree_message { TTI_AGREE_UP, TTI_AGREE_DOWN, TTI_AGREE_ASK, TTI_AGREE_DOUBT };

/* One agreement. In 32 bits its number would begin anew after some hours of agreements. */
typedef struct {
    uint64_t number;
    bool begun, any, decided;         /* `any`: `value` holds something */
    int told;                         /* the parent that has UP; -1: none */
    tti_agree_value value;            /* of all that was heard; the decision */
    uint64_t *heard, *asked, *askers; /* whose UP has come; who has ASK; whose ASK has come */
} tti_agree_round;

/* The last one that this rank began, the one before, and the next, of which some may be ahead. */
#define TTI_AGREE_ROUNDS 3

/* A rank's place in the tree; -1: there is none. */
typedef struct {
    int parent;      /* a lower rank */
    int first, next; /* the first below it, and the next one of its parent's */
} tti_agree_branch;

typedef struct tti_agree_state tti_agree_state;
typedef void tti_agree_send(void *context, int to, enum tti_agree_message message, uint64_t number,
                            const tti_agree_value *value);
/* This rank holds `rank` for dead because others say so: it is to be told. */
typedef void tti_agree_cast_out(void *context, int rank);
struct tti_agree_state {
    int rank, size;
    const tti_agree_branch *tree; /* [size] */
    uint64_t number;              /* of the last agreement that this rank has begun; 0: none */
    tti_agree_send *send;
    tti_agree_cast_out *cast_out;
    void *context;
    uint64_t offer; /* that this rank makes if it decides */
    uint64_t *dead; /* that this rank has heard of */
    tti_agree_round rounds[TTI_AGREE_ROUNDS];
};

static inline size_t tti_agree_words(int size)
{
    return ((size_t)size + 63) / 64;
}
static inline bool tti_agree_has(const uint64_t *set, int rank)
{
    return (set[rank / 64] >> (rank % 64) & 1) != 0;
}
static inline void tti_agree_put(uint64_t *set, int rank)
{
    set[rank / 64] |= UINT64_C(1) << (rank % 64);
}

#endif
