/* SPDX-License-Identifier: BSD-3-Clause */
/** @file info.h
 * @brief What this Tutti is, finds and would choose; the source of `tutti-info`. */
#ifndef TUTTI_INFO_H
#define TUTTI_INFO_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** What tutti_info() can tell. */
enum {
    TUTTI_INFO_VERSIONS = 0,   /**< Of Tutti and of the libraries under it. */
    TUTTI_INFO_LIMITS = 1,     /**< Ranks, tags, contexts, message sizes. */
    TUTTI_INFO_OPTIONS = 2,    /**< Every option: value, origin, default, range, help. */
    TUTTI_INFO_TOPOLOGY = 3,   /**< This machine as hwloc sees it, and the groups of ranks on it. */
    TUTTI_INFO_PROVIDERS = 4,  /**< libfabric providers and what each can do here. Takes about 0.1 s. */
    TUTTI_INFO_INTERFACE = 5,  /**< Provider and interface that would be chosen, and why. */
    TUTTI_INFO_ALGORITHMS = 6, /**< Algorithms that would be chosen for each collective, by how the ranks lie
                                on nodes and by size: `what` is "up to" a size in bytes. */
    TUTTI_INFO_MACHINE = 7     /**< What this node does in which time, and the sizes at which ways between its
                                * ranks change by that. Measures if no job has since the last boot: some ms. */
};

/** One fact: `subject` (a library, an option, a collective …), `what` about it, and its `value`. The strings
 * live for the call. Must not call Tutti. */
typedef void tutti_info_fn(const char *subject, const char *what, const char *value, void *context);

/** Calls `tell` for each fact of a topic, facts of one subject together.
 * Between tutti_init() and the last tutti_finalize() it tells of the options and rules that the job has,
 * those of tutti_options.set among them; else of those in the environment.
 * @param ranks  size of the communicator that TUTTI_INFO_ALGORITHMS is about; otherwise unused.
 * @return TUTTI_ERR_ARG unknown topic, NULL `tell`, or ranks < 1; TUTTI_ERR_FABRIC libfabric cannot be
 * loaded (topics that need it); TUTTI_ERR_SYSTEM the machine or its interfaces cannot be looked at;
 * TUTTI_ERR_OPTION a TUTTI_* option is malformed; TUTTI_ERR_NO_MEMORY.
 * Threads: in a job any, by its level; else one, and not at the same time as tutti_init(), which it does not
 * need. */
TUTTI_API TUTTI_CHECKED int tutti_info(int topic, int ranks, tutti_info_fn *tell, void *context);

TUTTI_END_DECLS

#endif
