/* SPDX-License-Identifier: BSD-3-Clause */
/* One transfer of tutti-stream: what is asked, and how it went. */
#ifndef TOOLS_STREAM_TRANSFER_H
#define TOOLS_STREAM_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses, as the manual page tells them. */
enum { TRANSFER_DONE = 0, TRANSFER_LOCAL = 1, TRANSFER_USAGE = 2, TRANSFER_STREAM = 3 };

typedef struct {
    bool sends;
    const char *address, *file; /* NULL: standard input or output */
    const char *secret_file;    /* or NULL */
    const char *json;           /* file for the counters, NULL: none */
    int64_t rate;               /* bytes a second, 0: no limit */
    size_t buffer_bytes;
    int timeout_ms; /* of connecting, 0: as streams have it */
} transfer_request;

typedef struct {
    int status, code; /* exit status; result of the stream */
    char error[700];  /* "" if there was none */
    char peer[80];
    uint64_t bytes, messages;
    double started, ended; /* of the stream, seconds of one clock; 0: there was none */
} transfer_result;

void transfer_run(const transfer_request *request, transfer_result *result);
/* Looks before the transfer whether there is a file for the counters. False, with errno: there will be none.
 */
bool transfer_can_write_json(const transfer_request *request);
/* Writes the counters. False, with errno, if that failed. */
bool transfer_write_json(const transfer_request *request, const transfer_result *result);

#endif
