/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/explore/faults.h"

#include <stddef.h>
#include <string.h>

const fault faults[] = {
    {"a packet's flag is stored without order", "show", "&slot->flag", FAULT_RELAXED, "send", MEMORY_ARM},
    {"a packet's flag is read without order", "drain", "&slot->flag", FAULT_RELAXED, "send", MEMORY_ARM},
    {"a packet's flag goes before its payload", "tti_copy_few", "to", FAULT_LATE, "send", MEMORY_X86},
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
    {"the bell is looked at before the flag is stored", "show", "&slot->flag", FAULT_LATE, "sleep",
     MEMORY_X86},
    {"the bell is armed by a load and a store", "tti_node_arm", "&node->bell->word", FAULT_NOT_ATOMIC,
     "sleep", MEMORY_X86},
    {"the bell is armed without order", "tti_node_arm", "&node->bell->word", FAULT_RELAXED, "sleep",
     MEMORY_ARM},
    {"room is wanted without order", "tti_node_ask_for_room", "&out->ring->wanted", FAULT_RELAXED, "sleep",
     MEMORY_ARM},
    {"who sleeps does not ask for room", "tti_node_ask_for_room", "&out->ring->wanted", FAULT_DROPPED,
     "sleep", MEMORY_X86},
    {"a flag is stored without order where the sleeper orders all", "show", "&slot->flag", FAULT_RELAXED,
     "sleep-ordered", MEMORY_ARM},
    {"the sleeper does not order all", "membarrier", "all", FAULT_DROPPED, "sleep-ordered", MEMORY_X86},
    {"who wants room does not order all", "membarrier", "all", FAULT_DROPPED, "room-ordered", MEMORY_X86},
    {"a sender's bit is set by a load and a store", "mark_active", "word", FAULT_NOT_ATOMIC, "sleep-bits-3",
     MEMORY_X86},
    {"bits are taken by a load and a store", "poll_word", "active", FAULT_NOT_ATOMIC, "sleep-bits",
     MEMORY_X86},
    {"a sender sets no bit", "mark_active", "word", FAULT_DROPPED, "sleep-bits", MEMORY_X86},
    {"a chunk is claimed by a load and a store", "claim", "&desk->claims", FAULT_NOT_ATOMIC, "copy",
     MEMORY_X86},
    {"the desk is closed by a load and a store", "close_desk", "&desk->claims", FAULT_NOT_ATOMIC,
     "copy-refused", MEMORY_X86},
    {"the desk is not closed", "close_desk", "&desk->claims", FAULT_DROPPED, "copy-refused", MEMORY_X86},
    {"chunks that are done are counted without order", "tti_node_share_help", "&desk->done", FAULT_RELAXED,
     "copy", MEMORY_ARM},
    {"chunks that are done are read without order", "await_peer", "&desk->done", FAULT_RELAXED, "copy",
     MEMORY_ARM},
    {"nobody is told that a chunk failed", "tti_node_share_help", "&desk->failed", FAULT_DROPPED,
     "copy-refused", MEMORY_X86},
    {"the desk keeps what was done before", "tti_node_share_begin", "&desk->done", FAULT_DROPPED, "copy",
     MEMORY_X86},
    {"a post is stored without order", "tti_windows_post", "posted", FAULT_RELAXED, "windows-looked",
     MEMORY_ARM},
    {"a post is stored without order where the sleeper orders all", "tti_windows_post", "posted",
     FAULT_RELAXED, "windows-asleep-ordered", MEMORY_ARM},
    {"who sleeps for a post does not order all", "membarrier", "all", FAULT_DROPPED, "windows-asleep-ordered",
     MEMORY_X86},
    {"a post goes before its payload", "put_payload", "to", FAULT_LATE, "windows-looked", MEMORY_X86},
    {"bells are looked at before a post is stored", "tti_windows_post", "posted", FAULT_LATE, "windows",
     MEMORY_X86},
    {"a post is read without order", "tti_windows_has_posted", "&window->posted", FAULT_RELAXED,
     "windows-looked", MEMORY_ARM},
    {"a call's mark comes behind what shows it", "tti_windows_enter", "&own->posted", FAULT_RELAXED,
     "windows", MEMORY_ARM},
    {"a window is wanted only after the last look", "tti_windows_free_for", "&counts_of(windows, 0)->wanted",
     FAULT_LATE, "windows-freed", MEMORY_X86},
    {"a window is wanted without order", "tti_windows_free_for", "&counts_of(windows, 0)->wanted",
     FAULT_RELAXED, "windows-freed", MEMORY_X86},
    {"who finishes does not look whether windows are wanted", "tti_windows_finish", "wanted", FAULT_DROPPED,
     "windows-freed", MEMORY_X86},
    {"it is looked whether windows are wanted before one is finished", "tti_windows_finish",
     "&counts_of(windows, windows->rank)->finished[use->kind]", FAULT_LATE, "windows-freed", MEMORY_X86},
    {"a window is used again one operation too early", "look_at_all",
     "&counts_of(windows, r)->finished[kind]", FAULT_ONE_AHEAD, "windows-looked", MEMORY_X86},
    {"what is finished is learnt without order", "look_at_all", "&counts_of(windows, r)->finished[kind]",
     FAULT_RELAXED, "windows-looked", MEMORY_ARM},
    {"an operation is finished before its last read", "take_payload", "to", FAULT_LATE_READ, "windows-freed",
     MEMORY_X86},
    {"who comes is counted by a load and a store", "tti_windows_come", "come_of(windows, use)",
     FAULT_NOT_ATOMIC, "windows-counted", MEMORY_X86},
    {"who comes is counted without order", "tti_windows_come", "come_of(windows, use)", FAULT_RELAXED,
     "windows-counted-looked", MEMORY_ARM},
    {"the count is not ended", "tti_windows_come_no_more", "come_of(windows, use)", FAULT_DROPPED,
     "windows-counted", MEMORY_X86},
    {"the last's post is stored without order", "tti_windows_post_last",
     "&tti_windows_at(windows, windows->size, use)->posted", FAULT_RELAXED, "windows-counted-looked",
     MEMORY_ARM},
    {"bells are looked at before the last's post is stored", "tti_windows_post_last",
     "&tti_windows_at(windows, windows->size, use)->posted", FAULT_LATE, "windows-counted", MEMORY_X86},
    {"a word beside a post goes behind it", "put_tiny", "to + i * 8", FAULT_LATE, "windows-tiny-looked",
     MEMORY_X86},
    {"a tiny window is used again one operation too early", "look_at_all",
     "&counts_of(windows, r)->finished[kind]", FAULT_ONE_AHEAD, "windows-tiny-3", MEMORY_X86},
    {"what several operations have read is told without order", "tti_windows_finish",
     "&counts_of(windows, windows->rank)->finished[use->kind]", FAULT_RELAXED, "windows-tiny-3", MEMORY_ARM},
    {"a size goes behind its post", "tell_size", "size_at", FAULT_LATE, "windows-parts", MEMORY_X86},
    {"a part goes behind its post", "put_part", "part_at", FAULT_LATE, "windows-parts-looked", MEMORY_X86},
    {"a part is read after its operation is finished", "take_part", "part", FAULT_LATE_READ,
     "windows-parts-freed", MEMORY_X86},
    {"a window for parts is used again one operation too early", "look_at_all",
     "&counts_of(windows, r)->finished[kind]", FAULT_ONE_AHEAD, "windows-parts-3", MEMORY_ARM},
    {"who looks straight for a post does so without order", "await_one", "&theirs->posted", FAULT_RELAXED,
     "course-looked", MEMORY_ARM},
    {"who waits straight looks without order once its bell is armed", "is_over", "g->word", FAULT_RELAXED,
     "course", MEMORY_ARM},
    {"who waits straight sleeps without a second look", "rest", "look", FAULT_DROPPED, "course", MEMORY_X86},
    {"who waits for a started call sleeps without a second look", "rest", "look", FAULT_DROPPED,
     "course-started", MEMORY_X86},
    {"a post goes before a schedule's copy", "tti_copy_long", "to", FAULT_LATE, "course-looked", MEMORY_X86},
    {"a post goes before a word that a schedule copies", "tti_copy_word_at", "(char *)to + at", FAULT_LATE,
     "course-tiny", MEMORY_X86},
    {"a post goes before the number that a schedule tells", "make", "target(c, step)", FAULT_LATE,
     "course-parts", MEMORY_X86},
    {"a window is used straight one call too early", "look_at_all", "&counts_of(windows, r)->finished[kind]",
     FAULT_ONE_AHEAD, "course-looked", MEMORY_X86},
    {"a set is taken by a load and a store", "take", "&head->users", FAULT_NOT_ATOMIC, "sets-3", MEMORY_X86},
    {"who leaves a set is counted off by a load and a store", "tti_node_windows_leave", "&head->users",
     FAULT_NOT_ATOMIC, "sets", MEMORY_X86},
    {"a set is left without order", "tti_node_windows_leave", "&head->users", FAULT_RELAXED, "sets",
     MEMORY_ARM},
    {"a set keeps what was posted before", "clear", "&((tti_node_window *)(void *)at)->posted", FAULT_DROPPED,
     "sets", MEMORY_X86},
    {"nobody knows who had a set that is left", "is_abandoned", "&head->who[word]", FAULT_DROPPED,
     "sets-death", MEMORY_X86},
    {"a set that is given back keeps its users", "tti_node_windows_give_back", "&head->users", FAULT_DROPPED,
     "sets-two", MEMORY_X86},
    {"who leaves a set unused is counted off by a load and a store", "tti_node_windows_leave_unused",
     "&head->users", FAULT_NOT_ATOMIC, "sets-unheard", MEMORY_X86},
    {"a bit of those who have a set now is not put back", "tti_node_windows_leave_unused",
     "&head->who[node->index / 64]", FAULT_DROPPED, "sets-unheard-again", MEMORY_X86},
    {"nobody is poked", "turn", "&bell->word", FAULT_DROPPED, "windows", MEMORY_X86},
#if !defined(__clang__) /* runtime/base/publish.h has none then */
    {"no fence stands behind what is finished", "tti_windows_finish", "fence", FAULT_DROPPED, "windows-freed",
     MEMORY_X86},
    {"no fence stands behind a post", "tti_windows_post", "fence", FAULT_DROPPED, "windows", MEMORY_X86},
    {"no fence stands behind a packet's flag", "show", "fence", FAULT_DROPPED, "sleep", MEMORY_X86},
    {"room is offered without the fence behind it", "offer_room", "fence", FAULT_DROPPED, "sleep",
     MEMORY_X86},
#endif
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
