/* SPDX-License-Identifier: BSD-3-Clause */
/** @file request.h
 * @brief Completion of nonblocking and persistent operations.
 *
 * A nonblocking call gives an active request, which the call that sees it complete frees and sets to
 * NULL. An `_init` call gives an inactive persistent request: tutti_start() makes it active, its
 * completion makes it inactive again (it is not freed), tutti_request_free() ends it. NULL and
 * inactive requests count as complete, with an empty status (source TUTTI_ANY_SOURCE, tag
 * TUTTI_ANY_TAG, 0 bytes).
 *
 * Where a `status` or `statuses` may be given, NULL means not wanted.
 *
 * Progress, also of what others want of this rank, happens within calls: in those that wait, as long as they
 * do; in tests and probes, each that finds nothing yet and one of 32 that find all there; and in one of eight
 * operations on windows that are over at once. Other calls need not make any: not a wait for what is
 * complete, a send, a start, or a receive of what has come.
 *
 * Errors common to all: TUTTI_ERR_ARG, TUTTI_ERR_STATE; of waits and tests the error of the operation
 * itself (of the first failing one where there are several; each status has its own):
 * TUTTI_ERR_TRUNCATE, TUTTI_ERR_CANCELLED, TUTTI_ERR_PEER_FAILED, TUTTI_ERR_REVOKED (after
 * tutti_comm_revoke()), TUTTI_ERR_FABRIC … When they return an operation's error the request is complete all
 * the same.
 *
 * Threads: with TUTTI_THREAD_MULTIPLE different threads may wait for different requests. */
#ifndef TUTTI_REQUEST_H
#define TUTTI_REQUEST_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Blocks until `*request` is complete. */
TUTTI_API TUTTI_CHECKED int tutti_wait(tutti_request **request, tutti_status *status);

/** Blocks until all are complete. Each is completed even if one fails. */
TUTTI_API TUTTI_CHECKED int tutti_waitall(int count, tutti_request *requests[], tutti_status statuses[]);

/** Blocks until one of the active ones is complete; *index is its place, or -1 if none was active. */
TUTTI_API TUTTI_CHECKED int tutti_waitany(int count, tutti_request *requests[], int *index,
                                          tutti_status *status);

/** Blocks until at least one of the active ones is complete; the places of the *done completed ones
 * go to `indices`, their statuses to the front of `statuses`. *done is -1 if none was active. */
TUTTI_API TUTTI_CHECKED int tutti_waitsome(int count, tutti_request *requests[], int *done, int indices[],
                                           tutti_status statuses[]);

/** Progress (see above), then *done = 1 and completion if `*request` is complete, else *done = 0. Never
 * blocks. */
TUTTI_API TUTTI_CHECKED int tutti_test(tutti_request **request, int *done, tutti_status *status);

/** As tutti_test() for all: *done = 1 only if all are complete, and only then any is freed. */
TUTTI_API TUTTI_CHECKED int tutti_testall(int count, tutti_request *requests[], int *done,
                                          tutti_status statuses[]);

/** As tutti_test() for any: *done = 1 and its *index, or *done = 1 and -1 if none was active. */
TUTTI_API TUTTI_CHECKED int tutti_testany(int count, tutti_request *requests[], int *index, int *done,
                                          tutti_status *status);

/** Starts an inactive persistent request.
 * @return TUTTI_ERR_STATE it is active or not persistent; also the error with which its operation cannot
 * begin, as of the nonblocking call: TUTTI_ERR_REVOKED, TUTTI_ERR_PEER_FAILED, TUTTI_ERR_LIMIT,
 * TUTTI_ERR_NO_MEMORY … After any of these it is as it was: what was inactive may be started again. */
TUTTI_API TUTTI_CHECKED int tutti_start(tutti_request *request);

/** Starts several, in order.
 * @return that of tutti_start() of the first that cannot be started; the detail names its place in the array.
 * Those before it are active, to be waited for; it and those behind it are as they were. */
TUTTI_API TUTTI_CHECKED int tutti_startall(int count, tutti_request *requests[]);

/** Asks to withdraw a receive that has not matched, or a send that no receive and no matched probe has
 * taken yet; it must still be waited for, and then either completed or has TUTTI_ERR_CANCELLED, and the
 * message is as if it had never been sent. That may need the receiver to make progress, in whatever call.
 * Local.
 * @return 0 also where it is complete; TUTTI_ERR_UNSUPPORTED for a collective's or RMA's request. */
TUTTI_API int tutti_cancel(tutti_request *request);

/** Gives up the handle: an active operation completes in the background, its buffer stays in use
 * until then. Sets *request to NULL. */
TUTTI_API int tutti_request_free(tutti_request **request);

TUTTI_END_DECLS

#endif
