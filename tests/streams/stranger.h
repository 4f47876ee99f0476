/* SPDX-License-Identifier: BSD-3-Clause */
/* Who speaks libfabric and is no stream: plain libfabric, with which tests say what no stream says. */
#ifndef TESTS_STREAMS_STRANGER_H
#define TESTS_STREAMS_STRANGER_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include "runtime/fabric/fabric_library.h"
#include "streams/frame.h"
#include "tests/streams/ends.h"

typedef struct {
    const tti_fabric_library *library;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_eq *events;
    struct fid_cq *completions;
    struct fid_ep *endpoint;
    struct fid_pep *listener;
} stranger;

/* Provider, domain and queues for a port of the loopback; FI_SOURCE to listen there. */
void stranger_find(stranger *one, const char *port, uint64_t flags);
void stranger_make_endpoint(stranger *one, struct fi_info *info);
/* Knocks at a listener of `context` with these words. True if it is let in, then with the answer; else false
 * with the refusal. */
bool stranger_knock(stranger *one, tutti_stream_context *context, const char *address, const void *words,
                    size_t bytes, tti_hello *answer);
void stranger_leave(stranger *one);

#endif
