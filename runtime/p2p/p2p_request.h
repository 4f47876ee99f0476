/* SPDX-License-Identifier: BSD-3-Clause */
/* The request of a message. Under the lock. */
#ifndef TTI_P2P_REQUEST_H
#define TTI_P2P_REQUEST_H

#include "runtime/p2p/p2p.h"
#include "runtime/request/request.h"

/* What a call asks for: to send this, or to receive it here. */
typedef struct {
    tutti_comm *comm;
    void *buf;
    size_t bytes;
    int peer, tag; /* peer: rank in comm, TUTTI_PROC_NULL or TUTTI_ANY_SOURCE */
} tti_p2p_call;

typedef struct tti_p2p_request tti_p2p_request;
struct tti_p2p_request {
    tutti_request base; /* first */
    tti_p2p_op op;
    tti_p2p_call call; /* of a persistent one, to start again; of another send its bytes alone */
    tti_p2p_request *next_spare;
};

/* A request of tutti_imrecv(), whose op the caller starts; NULL: no memory, with the detail. */
tti_p2p_request *tti_p2p_request_make(void);
/* Takes the result of that start: an error (the request is gone) or 0 and *made. */
int tti_p2p_request_begin(tti_p2p_request *request, int started, tutti_request **made);
/* Frees the memory of all requests, also of those that nobody waited for. At closing. */
void tti_p2p_requests_close(void);

#endif
