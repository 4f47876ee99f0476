/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/faults.h"

#include <stddef.h>
#include <string.h>

const fault faults[] = {
    {"a packet's flag is stored without order", "tti_node_send", "&slot->flag", FAULT_RELAXED, "send",
     MEMORY_ARM},
    {"a packet's flag is read without order", "drain", "&slot->flag", FAULT_RELAXED, "send", MEMORY_ARM},
    {"a packet's flag goes before its payload", "join", "to", FAULT_LATE, "send", MEMORY_X86},
    {"a packet's flag goes before its further pieces", "spread", "slots[out->place].at.piece", FAULT_LATE,
     "send-pieces", MEMORY_X86},
    {"a slot is used again one too early", "refresh", "&out->ring->consumed", FAULT_ONE_AHEAD, "send",
     MEMORY_X86},
    {"data space is used again one too early", "refresh", "&out->ring->consumed", FAULT_ONE_AHEAD,
     "send-large", MEMORY_X86},
    {"what is consumed is told without order", "drain", "&in->ring->consumed", FAULT_RELAXED, "send",
     MEMORY_ARM},
    {"what is consumed is learnt without order", "refresh", "&out->ring->consumed", FAULT_RELAXED, "send",
     MEMORY_ARM},
    {"the bell is looked at before the flag is stored", "tti_node_send", "&slot->flag", FAULT_LATE, "sleep",
     MEMORY_X86},
    {"the flag is stored without the fence behind it", "tti_node_send", "&slot->flag", FAULT_RELAXED, "sleep",
     MEMORY_X86},
    {"the bell is armed by a load and a store", "tti_node_arm", "&node->bell->word", FAULT_NOT_ATOMIC,
     "sleep", MEMORY_X86},
    {"the bell is armed without order", "tti_node_arm", "&node->bell->word", FAULT_RELAXED, "sleep",
     MEMORY_ARM},
    {"the bell is looked at without order", "turn", "&bell->word", FAULT_RELAXED, "sleep", MEMORY_ARM},
    {"room is wanted without order", "want_room", "&out->ring->wanted", FAULT_RELAXED, "sleep", MEMORY_ARM},
    {"room is offered without the fence behind it", "offer_room", "&in->ring->consumed", FAULT_RELAXED,
     "sleep", MEMORY_X86},
    {"a sender's bit is set by a load and a store", "mark_active", "word", FAULT_NOT_ATOMIC, "sleep-bits-3",
     MEMORY_X86},
    {"bits are taken by a load and a store", "poll_word", "active", FAULT_NOT_ATOMIC, "sleep-bits",
     MEMORY_X86},
    {"a sender sets no bit", "mark_active", "word", FAULT_DROPPED, "sleep-bits", MEMORY_X86},
};
const int faults_count = (int)(sizeof faults / sizeof *faults);

static const fault *in_force;
static unsigned long met;

void faults_set(const fault *f)
{
    in_force = f;
    met = 0;
}

bool faults_hit(enum fault_kind kind, const char *function, const char *word)
{
    if (in_force == NULL || in_force->kind != kind || strcmp(in_force->function, function) != 0 ||
        strcmp(in_force->word, word) != 0)
        return false;
    met++;
    return true;
}

unsigned long faults_met(void)
{
    return met;
}
