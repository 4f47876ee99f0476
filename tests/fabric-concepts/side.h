/* SPDX-License-Identifier: BSD-3-Clause */
/* One process's end of a pair that talks over libfabric alone: what the measurements of concepts share. All
 * of it ends the process, with a word on stderr, where libfabric refuses. */
#ifndef TESTS_FABRIC_CONCEPTS_SIDE_H
#define TESTS_FABRIC_CONCEPTS_SIDE_H

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <stdbool.h>
#include <stddef.h>

#define DEPTH 64         /* receives that are posted, and sends that may be under way */
#define ROOM (64 * 1024) /* of a buffer */

/* What one way of doing something asks of libfabric; 0 is what Tutti asks. */
typedef struct {
    const char *provider;
    enum fi_progress progress; /* FI_PROGRESS_MANUAL unless said otherwise; likewise the rest */
    enum fi_threading threading;
    enum fi_resource_mgmt resources;
    enum fi_cq_format format;
    uint64_t caps;  /* beyond FI_MSG */
    bool unordered; /* no FI_ORDER_SAS */
    bool delivered; /* sends complete when they have arrived: FI_DELIVERY_COMPLETE */
    bool structs;   /* fi_sendmsg */
    bool inject;    /* fi_inject */
    bool tagged;    /* fi_tsend, fi_trecv */
    bool multi;     /* one buffer for all receives, FI_MULTI_RECV */
    bool sleeps;    /* a queue with a wait object */
    bool shallow;   /* queues of as few entries as the provider takes, not its own depth */
    int batch;      /* completions that are read at a time; 16 */
    int way;        /* the test's own */
    size_t bytes;   /* of a message; 64 */
} concept_settings;

typedef struct {
    struct fi_context2 context; /* first */
    unsigned char *buffer;
} operation;

typedef struct {
    concept_settings asked;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *addresses;
    struct fid_cq *completions;
    struct fid_cntr *counter; /* of FI_WRITE; where caps have FI_RMA */
    struct fid_ep *endpoint;
    struct fid_mr *region; /* of `memory`, where it is needed */
    void *descriptor;
    fi_addr_t peer;
    unsigned char *memory; /* DEPTH receives, DEPTH sends, one for remote access */
    operation receives[DEPTH], sends[DEPTH], many;
    uint64_t sent, left, received; /* begun, completed; messages that have come */
    int link;                      /* to the other process */
} concept_side;

void side_open(concept_side *side, const concept_settings *asked, int link);
void side_close(concept_side *side);
void side_post_receives(concept_side *side);
/* The next send buffer; waits until it is free. */
void side_send(concept_side *side, size_t bytes);
void side_progress(concept_side *side);
void side_wait_sent(concept_side *side);
void side_wait_received(concept_side *side, uint64_t count);
/* Bytes to and from the other process, beside libfabric; both do it at once. */
void side_swap(const concept_side *side, const void *mine, void *theirs, size_t bytes);
/* Whether the other process has come to its side_swap(). */
bool side_is_called(const concept_side *side);

double now_us(void);
void die(const char *what, long result);

/* Both ends in processes of their own; what `first` returns, or -1 where either has failed. */
typedef double (*end_first)(concept_side *side);
typedef void (*end_second)(concept_side *side);
double pair_run(const concept_settings *asked, end_first first, end_second second);

#endif
