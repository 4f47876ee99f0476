/* SPDX-License-Identifier: BSD-3-Clause */
/** @file init.h
 * @brief Start, end and abort of Tutti in a process. */
#ifndef TUTTI_INIT_H
#define TUTTI_INIT_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** What becomes of an error. */
enum {
    TUTTI_ERRORS_RETURN = 0, /**< The call returns it; the job goes on. */
    TUTTI_ERRORS_FATAL =
        1 /**< The call ends the job with the error's text and detail on stderr, as MPI does by default.
           *   TUTTI_ERR_CANCELLED, which the program asked for, is returned all the same. */
};

/** What a program may ask of tutti_init(). Zero-initialise it, then set what you need. */
typedef struct tutti_options {
    int thread_level;       /**< TUTTI_THREAD_*; 0 is TUTTI_THREAD_SINGLE. */
    const char *const *set; /**< NULL, or a NULL-ended array of "TUTTI_NAME=value" strings: defaults
                             *   of this program, which the environment overrides. Only read in the call. */
    int errors; /**< TUTTI_ERRORS_*; 0 is TUTTI_ERRORS_RETURN. Holds from tutti_init() on, which ends the
                 *   process itself where it fails. */
} tutti_options;

/** Joins the job and returns its world communicator, whose rank and size are the launcher's.
 *
 * Without a launcher the job is this one process. Counted: later calls return the same world and
 * ignore `options` (but for a higher thread level than the first, which is an error); the resources
 * go with the last tutti_finalize(). Not collective in cost: a rank waits here for the first one of its node,
 * however late that comes, and for all others where addresses are exchanged at the start (TUTTI_MODEX).
 * A process that tuttirun has in reserve (`--spares`, `--respawn`) sleeps here until tutti_comm_restore()
 * gives it a dead rank's place: *world is the restored communicator then. If that never comes the launcher
 * ends it in here when the other ranks have ended.
 *
 * A rank is one process, once: in jobs of several ranks another program of Tutti that a rank runs, or that
 * runs after it in the same shell, is refused, unless PMIX_NAMESPACE and PMIX_RANK are unset for it. Nor can
 * the process itself try again when this call has failed after it had joined (TUTTI_ERR_STATE).
 *
 * From here to the last tutti_finalize() a process whose launcher is gone ends: it gets SIGTERM, and SIGKILL
 * a second later, unless TUTTI_ORPHANS=live.
 *
 * @param[out] world    the world communicator, owned by the library; do not free it. A newcomer
 *                      (tutti_is_newcomer()) may, once, when it needs it no more.
 * @param      options  NULL, or the program's wishes.
 * @return TUTTI_ERR_LAUNCH a launcher is visible in the environment but cannot be reached, or another process
 *         has joined as this rank; TUTTI_ERR_OPTION an option's value is malformed; TUTTI_ERR_FABRIC no
 *         way to other nodes; TUTTI_ERR_UNSUPPORTED the ranks of the node share no memory though
 *         TUTTI_TRANSPORT=node, the provider cannot carry the messages, or TUTTI_HEARTBEAT is set in a job on
 *         several nodes whose provider has no internet addresses; TUTTI_ERR_PEER_FAILED another rank died;
 *         TUTTI_ERR_TIMEOUT one of another node did not start within TUTTI_CONNECT_TIMEOUT; TUTTI_ERR_LIMIT
 *         too few open files are allowed (ulimit -n); TUTTI_ERR_VERSION, TUTTI_ERR_NO_MEMORY,
 *         TUTTI_ERR_SYSTEM, TUTTI_ERR_ARG, TUTTI_ERR_STATE (after the last tutti_finalize(), or a second try
 *         of a rank that had joined).
 * Threads: one thread at a time. */
TUTTI_API TUTTI_CHECKED int tutti_init(tutti_comm **world, const tutti_options *options);

/** Ends this process's part of the job once called as often as tutti_init(). Requests must have
 * completed; messages already sent are delivered. It waits up to TUTTI_FINALIZE_TIMEOUT for receivers to take
 * them, a second at most if a rank has died; then, where the job uses libfabric (as on several nodes) or
 * under prterun, up to TUTTI_FINALIZE_TIMEOUT again for the other ranks to come here, unless one has died.
 * Others that wait for a message of this rank, or for its part in a collective, end with TUTTI_ERR_STATE
 * (p2p.h) once they have received what it sent. Afterwards only these may be called: tutti_strerror(),
 * tutti_error_detail(), tutti_version(), tutti_wtime(), tutti_info(), tutti_reduce_local(), tutti_abort(),
 * tutti_check_failed() and with it TUTTI_CHECK().
 * @return TUTTI_ERR_STATE not initialised, or requests were still under way (the count is in the detail);
 *         TUTTI_ERR_TIMEOUT receivers have not taken all messages in that time. That the other ranks have
 *         not come is no error. This process's part of the job has ended all the same.
 * Threads: one thread, with no other inside Tutti. */
TUTTI_API int tutti_finalize(void);

/** Ends the whole job: writes `why` (may be NULL) to stderr with rank and host, asks the launcher to
 * end every rank with exit status `code` (1 … 255; others become 1), and does not return. What stdio has
 * buffered is lost: fflush() before. So it is with TUTTI_CHECK() and TUTTI_ERRORS_FATAL.
 * Threads: any, at any time. */
TUTTI_API void tutti_abort(int code, const char *why) __attribute__((noreturn));

/** Seconds since some moment in the past, the same for all threads of the process: a clock that is never set,
 * for measuring durations. Clocks of ranks on different nodes differ. Threads: any, at any time. */
TUTTI_API double tutti_wtime(void);

/** "0.1.0": version of the running library; a static string. Threads: any, at any time. */
TUTTI_API const char *tutti_version(void);

TUTTI_END_DECLS

#endif
