/* SPDX-License-Identifier: BSD-3-Clause */
#include "fault_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void must(const char *what, long result)
{
    if (result == 0) return;
    fprintf(stderr, "%s: %s\n", what, fi_strerror((int)-result));
    exit(2);
}

void open_side(struct side *side, const char *provider, enum fi_wait_obj wait)
{
    struct fi_info *hints = fi_allocinfo();
    memset(side, 0, sizeof *side);
    hints->caps = FI_MSG | FI_TAGGED;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->control_progress = hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->fabric_attr->prov_name = strdup(provider);
    const char *node = strcmp(provider, "shm") == 0 ? NULL : "127.0.0.1";
    if (fi_getinfo(FI_VERSION(1, 17), node, NULL, node != NULL ? FI_SOURCE : 0, hints, &side->info) != 0)
        exit(77);
    must("fi_fabric", fi_fabric(side->info->fabric_attr, &side->fabric, NULL));
    must("fi_domain", fi_domain(side->fabric, side->info, &side->domain, NULL));
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_TAGGED, .wait_obj = wait};
    must("fi_cq_open", fi_cq_open(side->domain, &cq, &side->cq, NULL));
    struct fi_av_attr av = {.type = FI_AV_TABLE, .count = 8};
    must("fi_av_open", fi_av_open(side->domain, &av, &side->av, NULL));
    must("fi_endpoint", fi_endpoint(side->domain, side->info, &side->ep, NULL));
    must("fi_ep_bind", fi_ep_bind(side->ep, &side->av->fid, 0));
    must("fi_ep_bind", fi_ep_bind(side->ep, &side->cq->fid, FI_TRANSMIT | FI_RECV));
    must("fi_enable", fi_enable(side->ep));
    fi_freeinfo(hints);
}

void introduce(struct side *a, const struct side *b)
{
    char name[256];
    size_t bytes = sizeof name;
    must("fi_getname", fi_getname(&b->ep->fid, name, &bytes));
    if (fi_av_insert(a->av, name, 1, &a->other, 0, NULL) != 1) must("fi_av_insert", -FI_EINVAL);
}

void open_pair(struct side pair[2], const char *provider, enum fi_wait_obj wait)
{
    open_side(&pair[0], provider, wait);
    open_side(&pair[1], provider, wait);
    introduce(&pair[0], &pair[1]);
    introduce(&pair[1], &pair[0]);
}

void look(struct side *side)
{
    struct fi_cq_tagged_entry entry;
    const ssize_t count = fi_cq_read(side->cq, &entry, 1);
    if (count == 1) side->completions++;
    if (count != -FI_EAVAIL) return;
    struct fi_cq_err_entry error = {0};
    if (fi_cq_readerr(side->cq, &error, 0) != 1) return;
    side->errors++;
    side->last_error = error.err;
}

void look_around(struct side pair[2], int milliseconds)
{
    struct timespec now, start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        look(&pair[0]);
        look(&pair[1]);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < milliseconds);
}
