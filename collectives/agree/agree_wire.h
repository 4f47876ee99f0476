/* SPDX-License-Identifier: BSD-3-Clause */
/* What messages of agreements look like: a head, then the failed ranks of what it says, as a list or as a
 * set, whichever is shorter. Ranks run the same version on machines of the same byte order
 * (runtime/peers/packet.h). */
#ifndef TTI_AGREE_WIRE_H
#define TTI_AGREE_WIRE_H

#include "collectives/agree/agree_state.h"

typedef struct {
    uint64_t context, flags, offer, number;
    uint32_t kind, message, noted;
    uint32_t failed; /* how many are listed; TTI_AGREE_AS_SET: a set follows */
} tti_agree_head;

#define TTI_AGREE_AS_SET UINT32_MAX

/* Fills all of the head but context, message and number, and the body; returns the body's bytes, or -1 if
 * they are more than `room`: with 8 KiB, of more than 65,000 ranks of which more than 2,000 have failed. */
long tti_agree_pack(const tti_agree_value *value, int size, tti_agree_head *head, uint32_t *body,
                    size_t room);
/* The value of a message of a communicator of `size` ranks; `value->failed` is the caller's memory. False: no
 * rank sends this. */
bool tti_agree_unpack(const void *payload, size_t bytes, int size, tti_agree_value *value);
/* The head of a message; false if it is too short for one. */
bool tti_agree_peek(const void *payload, size_t bytes, tti_agree_head *head);

#endif
