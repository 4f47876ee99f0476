/* SPDX-License-Identifier: BSD-3-Clause */
/* The half of libfabric that is the same for endpoints with and without connections: domain, completion
 * queue, registered buffers, sending and receiving. Functions return 0, or -1 with a message on stderr. */
#ifndef EXAMPLES_OFI_TRANSFER_H
#define EXAMPLES_OFI_TRANSFER_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "pingpong.h"

/* One direction. libfabric hands `context` back with the completion; what a provider keeps in there until
 * then (modes FI_CONTEXT and FI_CONTEXT2) is its own affair. */
struct operation {
    struct fi_context2 context; /* first, so that its address is the operation's */
    unsigned char *buffer;
    struct fid_mr *region; /* NULL: the provider wants none */
    size_t bytes;          /* received */
    bool done;
};

struct transfer {
    struct arguments *arguments;
    bool is_server;
    struct fid_domain *domain;
    struct fid_cq *completions;
    struct fid_ep *endpoint; /* opened by the program, closed by close_transfer() */
    fi_addr_t peer;          /* of endpoints without connections */
    struct operation sent, received;
    double heard_us; /* when something was last heard of the other side */
};

/* Domain, completion queue and buffers. */
int open_transfer(struct transfer *transfer, struct fid_fabric *fabric, struct fi_info *info);
int post_receive(struct transfer *transfer);
/* All messages, to and fro; the first receive is posted already. Prints the result. */
int exchange(struct transfer *transfer);
/* Lets the provider work, and sees to failures. */
int make_progress(struct transfer *transfer);
void close_transfer(struct transfer *transfer);

/* Both say why, and return -1. `error` as libfabric's calls return it: negative. */
int failed(const char *what, long error);
int gave_up(const struct arguments *arguments);

#endif
