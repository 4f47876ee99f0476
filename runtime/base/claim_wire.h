/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks ask tuttirun when they restore a communicator, and what it answers; both are values of
 * TTI_CLAIM_KEY in PMIx's requests for an allocation. A request with TTI_CLAIM_WAIT is answered when the
 * process that makes it is claimed, by the same answer as those get who claimed it.
 * Three ask for nothing and are answered without a record: one with TTI_CLAIM_RETURN, and the context of a
 * claim that came to nothing, says that what it got is free again; one with TTI_CLAIM_LEAVE that the process
 * leaves the job in order; one with TTI_CLAIM_FAILED that it leaves as its tutti_init() has failed.
 *
 *     question   context, in whose stead │ a word a rank: its process, and whether that is lost
 *     answer     granted, ranks │ a word a rank: its process, and whether that is new │ processes that are
 * dead
 *
 * A question without ranks asks for the answer that others had. */
#ifndef TTI_BASE_CLAIM_WIRE_H
#define TTI_BASE_CLAIM_WIRE_H

#include <limits.h>

#include "runtime/base/wire.h"

#define TTI_CLAIM_KEY "tutti.claim"
#define TTI_CLAIM_WAIT "tutti.spare"
#define TTI_CLAIM_RETURN "tutti.return"
#define TTI_CLAIM_LEAVE "tutti.leave"
#define TTI_CLAIM_FAILED "tutti.failed"
#define TTI_CLAIM_LOST UINT32_C(0x80000000) /* or new */

typedef struct {
    uint64_t context; /* of the communicator that is to be */
    uint64_t instead; /* of which claim, that holds no more; 0: of none */
    int count;
    const uint8_t *ranks;
} tti_claim_question;

static inline size_t tti_claim_question_bytes(int count)
{
    return 20 + 4 * (size_t)count;
}

static inline size_t tti_claim_answer_bytes(int count, int processes)
{
    return 5 + 4 * ((size_t)count + (size_t)processes);
}

static inline bool tti_claim_read_question(const void *record, size_t bytes, tti_claim_question *question)
{
    tti_wire_in in = {record, (const uint8_t *)record + bytes, false};
    question->context = tti_wire_take_uint(&in, 8);
    question->instead = tti_wire_take_uint(&in, 8);
    const uint64_t count = tti_wire_take_uint(&in, 4);
    if (in.failed || count > INT_MAX || question->context == 0) return false;
    question->count = (int)count;
    question->ranks = tti_wire_take(&in, 4 * (size_t)count);
    return !in.failed && in.at == in.end;
}

static inline uint32_t tti_claim_word(const tti_claim_question *question, int rank)
{
    tti_wire_in in = {question->ranks + 4 * (size_t)rank, question->ranks + 4 * (size_t)rank + 4, false};
    return (uint32_t)tti_wire_take_uint(&in, 4);
}
static inline int tti_claim_member(const tti_claim_question *question, int rank)
{
    return (int)(tti_claim_word(question, rank) & ~TTI_CLAIM_LOST);
}
static inline bool tti_claim_is_lost(const tti_claim_question *question, int rank)
{
    return (tti_claim_word(question, rank) & TTI_CLAIM_LOST) != 0;
}

#endif
