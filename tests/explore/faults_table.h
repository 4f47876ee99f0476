/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* The faults, two lines each: what it is; its kind, the machine and the scenario in which it shows, and the function
 * and word that it changes. Included by faults.c, which says what becomes of a row. */
FAULT("a packet's flag is stored without order",
      RELAXED,    ARM, "send",                   "show", "&slot->flag")
FAULT("a packet's flag is read without order",
      RELAXED,    ARM, "send",                   "drain", "&slot->flag")
FAULT("a packet's flag goes before its payload",
      LATE,       X86, "send",                   "tti_copy_few", "to")
FAULT("a packet's flag goes before its further pieces",
      LATE,       X86, "send-pieces",            "spread", "slots[out->place].at.piece")
FAULT("a slot is used again one too early",
      ONE_AHEAD,  X86, "send",                   "refresh", "&out->ring->consumed")
FAULT("data space is used again one too early",
      ONE_AHEAD,  X86, "send-large",             "refresh", "&out->ring->consumed")
FAULT("what is consumed is told without order",
      RELAXED,    ARM, "send",                   "drain", "&in->ring->consumed")
FAULT("what is consumed is learnt without order",
      RELAXED,    ARM, "send",                   "refresh", "&out->ring->consumed")
FAULT("the bell is looked at before the flag is stored",
      LATE,       X86, "sleep",                  "show", "&slot->flag")
FAULT("the bell is armed by a load and a store",
      NOT_ATOMIC, X86, "sleep",                  "tti_node_arm", "&node->bell->word")
FAULT("the bell is armed without order",
      RELAXED,    ARM, "sleep",                  "tti_node_arm", "&node->bell->word")
FAULT("room is wanted without order",
      RELAXED,    ARM, "sleep",                  "tti_node_ask_for_room", "&out->ring->wanted")
FAULT("who sleeps does not ask for room",
      DROPPED,    X86, "sleep",                  "tti_node_ask_for_room", "&out->ring->wanted")
FAULT("a flag is stored without order where the sleeper orders all",
      RELAXED,    ARM, "sleep-ordered",          "show", "&slot->flag")
FAULT("the sleeper does not order all",
      DROPPED,    X86, "sleep-ordered",          "membarrier", "all")
FAULT("who wants room does not order all",
      DROPPED,    X86, "room-ordered",           "membarrier", "all")
FAULT("a sender's bit is set by a load and a store",
      NOT_ATOMIC, X86, "sleep-bits-3",           "mark_active", "word")
FAULT("bits are taken by a load and a store",
      NOT_ATOMIC, X86, "sleep-bits",             "poll_word", "active")
FAULT("a sender sets no bit",
      DROPPED,    X86, "sleep-bits",             "mark_active", "word")
FAULT("a chunk is claimed by a load and a store",
      NOT_ATOMIC, X86, "copy",                   "claim", "&desk->claims")
FAULT("the desk is closed by a load and a store",
      NOT_ATOMIC, X86, "copy-refused",           "close_desk", "&desk->claims")
FAULT("the desk is not closed",
      DROPPED,    X86, "copy-refused",           "close_desk", "&desk->claims")
FAULT("chunks that are done are counted without order",
      RELAXED,    ARM, "copy",                   "tti_node_share_help", "&desk->done")
FAULT("chunks that are done are read without order",
      RELAXED,    ARM, "copy",                   "await_peer", "&desk->done")
FAULT("nobody is told that a chunk failed",
      DROPPED,    X86, "copy-refused",           "tti_node_share_help", "&desk->failed")
FAULT("the desk keeps what was done before",
      DROPPED,    X86, "copy",                   "tti_node_share_begin", "&desk->done")
FAULT("a post is stored without order",
      RELAXED,    ARM, "windows-looked",         "tti_windows_post", "posted")
FAULT("a post is stored without order where the sleeper orders all",
      RELAXED,    ARM, "windows-asleep-ordered", "tti_windows_post", "posted")
FAULT("who sleeps for a post does not order all",
      DROPPED,    X86, "windows-asleep-ordered", "membarrier", "all")
FAULT("a post goes before its payload",
      LATE,       X86, "windows-looked",         "put_payload", "to")
FAULT("bells are looked at before a post is stored",
      LATE,       X86, "windows",                "tti_windows_post", "posted")
FAULT("a post is read without order",
      RELAXED,    ARM, "windows-looked",         "tti_windows_has_posted", "&window->posted")
FAULT("a call's mark comes behind what shows it",
      RELAXED,    ARM, "windows",                "tti_windows_enter", "&own->posted")
FAULT("a window is wanted only after the last look",
      LATE,       X86, "windows-freed",          "tti_windows_free_for", "&counts_of(windows, 0)->wanted")
FAULT("a window is wanted without order",
      RELAXED,    X86, "windows-freed",          "tti_windows_free_for", "&counts_of(windows, 0)->wanted")
FAULT("who finishes does not look whether windows are wanted",
      DROPPED,    X86, "windows-freed",          "tti_windows_finish", "wanted")
FAULT("it is looked whether windows are wanted before one is finished",
      LATE,       X86, "windows-freed",          "tti_windows_finish",
                                                 "&counts_of(windows, windows->rank)->finished[use->kind]")
FAULT("a window is used again one operation too early",
      ONE_AHEAD,  X86, "windows-looked",         "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("what is finished is learnt without order",
      RELAXED,    ARM, "windows-looked",         "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("an operation is finished before its last read",
      LATE_READ,  X86, "windows-freed",          "take_payload", "to")
FAULT("who comes is counted by a load and a store",
      NOT_ATOMIC, X86, "windows-counted",        "tti_windows_come", "come_of(windows, use)")
FAULT("who comes is counted without order",
      RELAXED,    ARM, "windows-counted-looked", "tti_windows_come", "come_of(windows, use)")
FAULT("the count is not ended",
      DROPPED,    X86, "windows-counted",        "tti_windows_come_no_more", "come_of(windows, use)")
FAULT("the last's post is stored without order",
      RELAXED,    ARM, "windows-counted-looked", "tti_windows_post_last",
                                                 "&tti_windows_at(windows, windows->size, use)->posted")
FAULT("bells are looked at before the last's post is stored",
      LATE,       X86, "windows-counted",        "tti_windows_post_last",
                                                 "&tti_windows_at(windows, windows->size, use)->posted")
FAULT("a word beside a post goes behind it",
      LATE,       X86, "windows-tiny-looked",    "put_tiny", "to + i * 8")
FAULT("a tiny window is used again one operation too early",
      ONE_AHEAD,  X86, "windows-tiny-3",         "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("what several operations have read is told without order",
      RELAXED,    ARM, "windows-tiny-3",         "tti_windows_finish",
                                                 "&counts_of(windows, windows->rank)->finished[use->kind]")
FAULT("a size goes behind its post",
      LATE,       X86, "windows-parts",          "tell_size", "size_at")
FAULT("a part goes behind its post",
      LATE,       X86, "windows-parts-looked",   "put_part", "part_at")
FAULT("a part is read after its operation is finished",
      LATE_READ,  X86, "windows-parts-freed",    "take_part", "part")
FAULT("a window for parts is used again one operation too early",
      ONE_AHEAD,  ARM, "windows-parts-3",        "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("who looks straight for a post does so without order",
      RELAXED,    ARM, "course-looked",          "await_one", "&theirs->posted")
FAULT("who waits straight looks without order once its bell is armed",
      RELAXED,    ARM, "course",                 "is_over", "g->word")
FAULT("who waits straight sleeps without a second look",
      DROPPED,    X86, "course",                 "rest", "look")
FAULT("who waits for a started call sleeps without a second look",
      DROPPED,    X86, "course-started",         "rest", "look")
FAULT("a post goes before a schedule's copy",
      LATE,       X86, "course-looked",          "tti_copy_long", "to")
FAULT("a post goes before a word that a schedule copies",
      LATE,       X86, "course-tiny",            "tti_copy_word_at", "(char *)to + at")
FAULT("a post goes before the number that a schedule tells",
      LATE,       X86, "course-parts",           "tti_step_tell", "to")
FAULT("a window is used straight one call too early",
      ONE_AHEAD,  X86, "course-looked",          "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("a post goes before what the engine copies",
      LATE,       X86, "engine-looked",          "tti_copy_long", "to")
FAULT("a post goes before the number that the engine tells",
      LATE,       X86, "engine-parts",           "tti_step_tell", "to")
FAULT("the engine reads a post without order",
      RELAXED,    ARM, "engine",                 "tti_windows_has_posted", "&window->posted")
FAULT("bells are looked at before the engine's post is stored",
      LATE,       X86, "engine-reversed",        "tti_windows_post", "posted")
FAULT("it is looked whether windows are wanted before a run's are finished",
      LATE,       X86, "engine-again",           "tti_windows_finish",
                                                 "&counts_of(windows, windows->rank)->finished[use->kind]")
FAULT("a run's windows are used again one operation too early",
      ONE_AHEAD,  X86, "engine-again",           "look_at_all", "&counts_of(windows, r)->finished[kind]")
FAULT("the engine makes a post too early",
      ONE_AHEAD,  X86, "engine-patience",        "tti_run_post", "tti_windows_post_step")
FAULT("the engine takes the post before for the one that it awaits",
      ONE_AHEAD,  X86, "engine-looked",          "has_posted", "tti_windows_has_posted")
FAULT("the engine takes the last's post before for the one that it awaits",
      ONE_AHEAD,  X86, "engine-counted",         "last_has_posted", "tti_windows_has_posted")
FAULT("a run begins before its windows are free",
      DROPPED,    X86, "engine-again",           "tti_run_meet", "tti_windows_free_for")
FAULT("a run that is held begins before its windows are free",
      DROPPED,    X86, "engine-again",           "has_window", "tti_windows_free_for")
FAULT("a run does not show which call it is",
      DROPPED,    X86, "engine-tested",          "enter", "tti_windows_enter")
FAULT("a run that ends keeps its windows",
      DROPPED,    X86, "engine-again",           "leave_windows", "tti_windows_finish")
FAULT("a run that waits is not looked at",
      DROPPED,    X86, "engine",                 "put_on_list", "tti_list_append")
FAULT("a run that waits is looked at once",
      DROPPED,    X86, "engine-reversed",        "look", "tti_list_append")
FAULT("a run that is under way is not listed",
      DROPPED,    X86, "engine-death",           "tti_run_list", "tti_list_append")
FAULT("progress does not look at runs",
      DROPPED,    X86, "engine",                 "tti_progress_look", "look")
FAULT("who waits for a run sleeps without a second look",
      DROPPED,    X86, "engine",                 "rest", "look")
FAULT("the engine goes on a step too far with a blocking call",
      ONE_AHEAD,  X86, "engine-patience",        "go", "tti_course_pass")
FAULT("the engine goes on a step too far with a started call",
      ONE_AHEAD,  X86, "engine-reversed",        "start", "tti_course_pass")
FAULT("the engine hears of no death",
      DROPPED,    X86, "engine-death",           "sweep", "failed")
FAULT("the engine tells nobody that calls differ",
      DROPPED,    X86, "engine-different",       "tti_am_send", "head")
FAULT("a rank says that it has read before it has",
      LATE_READ,  X86, "engine-shown",           "explore_node_read", "local")
FAULT("a rank says that it has written before it has",
      LATE_READ,  X86, "engine-shown",           "explore_node_write", "(void *)(uintptr_t)remote")
FAULT("who gives up takes its writer for gone",
      DROPPED,    X86, "engine-shown-dropped",   "may_write", "tti_node_has_left")
FAULT("who gives up does not withdraw what it has shown",
      DROPPED,    X86, "engine-shown-death-3",   "tti_windows_withdraw",
                                                 "&counts_of(windows, windows->rank)->withdrawn")
FAULT("who has read does not look whether it was withdrawn",
      DROPPED,    X86, "engine-shown-death-3",   "tti_windows_withdrawn", "&counts_of(windows, place)->withdrawn")
FAULT("a set is taken by a load and a store",
      NOT_ATOMIC, X86, "sets-3",                 "take", "&head->users")
FAULT("who leaves a set is counted off by a load and a store",
      NOT_ATOMIC, X86, "sets",                   "tti_node_windows_leave", "&head->users")
FAULT("a set is left without order",
      RELAXED,    ARM, "sets",                   "tti_node_windows_leave", "&head->users")
FAULT("a set keeps what was posted before",
      DROPPED,    X86, "sets",                   "clear", "&((tti_node_window *)(void *)at)->posted")
FAULT("nobody knows who had a set that is left",
      DROPPED,    X86, "sets-death",             "is_abandoned", "&head->who[word]")
FAULT("a set that is given back keeps its users",
      DROPPED,    X86, "sets-two",               "tti_node_windows_give_back", "&head->users")
FAULT("who leaves a set unused is counted off by a load and a store",
      NOT_ATOMIC, X86, "sets-unheard",           "tti_node_windows_leave_unused", "&head->users")
FAULT("a bit of those who have a set now is not put back",
      DROPPED,    X86, "sets-unheard-again",     "tti_node_windows_leave_unused", "&head->who[node->index / 64]")
FAULT("nobody is poked",
      DROPPED,    X86, "windows",                "turn", "&bell->word")
#if !defined(__clang__) /* runtime/base/publish.h has none then */
FAULT("no fence stands behind what is finished",
      DROPPED,    X86, "windows-freed",          "tti_windows_finish", "fence")
FAULT("no fence stands behind a post",
      DROPPED,    X86, "windows",                "tti_windows_post", "fence")
FAULT("no fence stands behind a packet's flag",
      DROPPED,    X86, "sleep",                  "show", "fence")
FAULT("room is offered without the fence behind it",
      DROPPED,    X86, "sleep",                  "offer_room", "fence")
#endif
