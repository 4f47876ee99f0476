/* SPDX-License-Identifier: BSD-3-Clause */
/* Included first in the engine's files (collectives/execute/run*.c, straight.c): what these call of windows
 * and lists can be left out, as if all were well, or be done as if a post or step more had been made, by a
 * fault (faults.h). It is named by the engine's function and the one that is called. Without a fault all is
 * as it stands there. */
#ifndef TESTS_EXPLORE_ENGINE_CALLS_H
#define TESTS_EXPLORE_ENGINE_CALLS_H

#include "collectives/execute/course.h"
#include "collectives/execute/windows.h"
#include "runtime/base/list.h"
#include "runtime/node/view.h"
#include "tests/explore/faults.h"

static inline bool engine_has_posted(const tti_windows *windows, const tti_windows_use *use, int place,
                                     int post, bool *entered, uint64_t *mark, const char *function)
{
    if (faults_hit(FAULT_ONE_AHEAD, function, "tti_windows_has_posted")) post--;
    return tti_windows_has_posted(windows, use, place, post, entered, mark);
}

static inline bool engine_course_pass(tti_course *course, int *made, const char *function)
{
    const bool all = tti_course_pass(course, made);
    if (!all && faults_hit(FAULT_ONE_AHEAD, function, "tti_course_pass")) ++*made;
    return all;
}

static inline void engine_post_step(const tti_windows *windows, const tti_windows_use *use,
                                    const tti_schedule *schedule, const tti_step *step, const char *function)
{
    tti_step post = *step;
    post.tag += faults_hit(FAULT_ONE_AHEAD, function, "tti_windows_post_step");
    tti_windows_post_step(windows, use, schedule, &post);
}

#define ENGINE_LEAVES_OUT(called) faults_hit(FAULT_DROPPED, __func__, called)
#define tti_windows_free_for(windows, use)                                                                   \
    (ENGINE_LEAVES_OUT("tti_windows_free_for") || tti_windows_free_for(windows, use))
#define tti_windows_has_posted(windows, use, place, post, entered, mark)                                     \
    engine_has_posted(windows, use, place, post, entered, mark, __func__)
#define tti_node_has_left(node, peer)                                                                        \
    (ENGINE_LEAVES_OUT("tti_node_has_left") || tti_node_has_left(node, peer))
#define tti_windows_enter(windows, use, mark, awaited)                                                       \
    (ENGINE_LEAVES_OUT("tti_windows_enter") ? (void)0 : tti_windows_enter(windows, use, mark, awaited))
#define tti_windows_finish(windows, use)                                                                     \
    (ENGINE_LEAVES_OUT("tti_windows_finish") ? (void)0 : tti_windows_finish(windows, use))
#define tti_windows_post_step(windows, use, schedule, step)                                                  \
    engine_post_step(windows, use, schedule, step, __func__)
#define tti_list_append(list, link)                                                                          \
    (ENGINE_LEAVES_OUT("tti_list_append") ? (void)0 : tti_list_append(list, link))
#define tti_course_pass(course, made) engine_course_pass(course, made, __func__)

#endif
