/* SPDX-License-Identifier: BSD-3-Clause */
/* Two RDM endpoints of one provider in one process, on libfabric alone: what the programs here show faults
 * with. */
#ifndef TESTS_FAULT_PAIR_H
#define TESTS_FAULT_PAIR_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>

struct side {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_av *av;
    struct fid_cq *cq;
    fi_addr_t other;
    int completions, errors, last_error; /* seen by look() */
};

/* Opens one side; `wait` is the wait object of its queue. Exits 77 if the provider is not here. */
void open_side(struct side *side, const char *provider, enum fi_wait_obj wait);
void open_pair(struct side pair[2], const char *provider, enum fi_wait_obj wait);
/* Inserts b's address at a. */
void introduce(struct side *a, const struct side *b);
/* Reads what is in the queue, if anything. */
void look(struct side *side);
/* Looks at both for a while. */
void look_around(struct side pair[2], int milliseconds);
void must(const char *what, long result);

#endif
