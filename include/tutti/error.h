/* SPDX-License-Identifier: BSD-3-Clause */
/** @file error.h
 * @brief Result codes and what stands behind them. */
#ifndef TUTTI_ERROR_H
#define TUTTI_ERROR_H

#include "tutti/types.h"

TUTTI_BEGIN_DECLS

/** Every code a Tutti function may return. */
enum {
    TUTTI_SUCCESS = 0,
    TUTTI_ERR_ARG = -1,          /**< An argument is out of its range, or NULL where it must not be. */
    TUTTI_ERR_STATE = -2,        /**< Not initialised, already finalised, or the wrong time for it. */
    TUTTI_ERR_RANK = -3,         /**< No such rank in this communicator. */
    TUTTI_ERR_TAG = -4,          /**< A tag below 0 or above TUTTI_TAG_MAX. */
    TUTTI_ERR_TYPE = -5,         /**< Unknown element type, or one the operation is not defined for. */
    TUTTI_ERR_OP = -6,           /**< Unknown operation. */
    TUTTI_ERR_TRUNCATE = -7,     /**< The message was longer than the receive buffer. */
    TUTTI_ERR_CANCELLED = -8,    /**< The program withdrew it: by tutti_cancel(); a stream by
                                      tutti_stream_abort(), by closing it before it was open, or with its
                                      context. */
    TUTTI_ERR_PEER_FAILED = -9,  /**< A rank that the operation needs has died, has left after a death, or
                                      cannot be reached. */
    TUTTI_ERR_TIMEOUT = -10,     /**< It did not come about within the time allowed. */
    TUTTI_ERR_NO_MEMORY = -11,   /**< Memory, shared memory or registration ran out. */
    TUTTI_ERR_LIMIT = -12,       /**< A limit was reached; the detail names it. */
    TUTTI_ERR_OPTION = -13,      /**< A TUTTI_* option has a value that cannot be used. */
    TUTTI_ERR_LAUNCH = -14,      /**< The launcher's PMIx cannot be reached or misbehaves. */
    TUTTI_ERR_FABRIC = -15,      /**< libfabric or the network refused. */
    TUTTI_ERR_VERSION = -16,     /**< Ranks of the job run versions of Tutti that cannot talk. */
    TUTTI_ERR_SYSTEM = -17,      /**< A system call failed; the detail carries its errno text. */
    TUTTI_ERR_UNSUPPORTED = -18, /**< Not possible with this provider, memory or launcher. */
    TUTTI_ERR_AGAIN = -19,       /**< Not now; of streams alone, and without a detail. */
    TUTTI_ERR_REFUSED = -20,     /**< The other side is there and wants no connection, or nobody listens. */
    TUTTI_ERR_DENIED = -21,  /**< Not proved to know the shared secret, or a secret that others may read. */
    TUTTI_ERR_REVOKED = -22, /**< A rank has called tutti_comm_revoke() on the communicator. */
    TUTTI_ERR_LOST = -23     /**< What was kept died with all ranks that held it. */
};

/** Text of a result code, never NULL; a static string. Threads: any, at any time. */
TUTTI_API const char *tutti_strerror(int code);

/** What the last failing call of this thread had to say: who, what, how much, what to do. Never NULL
 * ("" if nothing failed yet); valid until the thread's next failing call. Threads: any, at any time. */
TUTTI_API const char *tutti_error_detail(void);

/** Ends the job as tutti_abort() does, with status 1 and the words of TUTTI_CHECK(). Threads: any, at any
 * time. */
TUTTI_API void tutti_check_failed(int code, const char *call, const char *file, int line)
    __attribute__((noreturn));

/** Makes a call and goes on if it returns TUTTI_SUCCESS; else ends the job, telling file, line, call, error
 * and detail: `TUTTI_CHECK(tutti_barrier(world));`. A statement. */
#define TUTTI_CHECK(call)                                                                                    \
    do {                                                                                                     \
        const int tutti_check_code = (call);                                                                 \
        if (tutti_check_code != TUTTI_SUCCESS)                                                               \
            tutti_check_failed(tutti_check_code, #call, __FILE__, __LINE__);                                 \
    } while (0)

TUTTI_END_DECLS

#endif
