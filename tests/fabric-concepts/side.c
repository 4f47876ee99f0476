/* SPDX-License-Identifier: BSD-3-Clause */
#include "side.h"

#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_S 20 /* of a measurement: then it is stuck */

double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

void die(const char *what, long result)
{
    fprintf(stderr, "%s: %s\n", what, fi_strerror((int)(result < 0 ? -result : result)));
    _exit(1);
}

static void must(const char *what, long result)
{
    if (result != 0) die(what, result);
}

static struct fi_info *choose(const concept_settings *asked)
{
    struct fi_info *hints = fi_allocinfo(), *info;
    hints->ep_attr->type = FI_EP_RDM;
    hints->caps = FI_MSG | asked->caps | (asked->tagged ? FI_TAGGED : 0) | (asked->multi ? FI_MULTI_RECV : 0);
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    hints->domain_attr->threading = asked->threading != 0 ? asked->threading : FI_THREAD_DOMAIN;
    hints->domain_attr->control_progress = hints->domain_attr->data_progress =
        asked->progress != 0 ? asked->progress : FI_PROGRESS_MANUAL;
    hints->domain_attr->resource_mgmt = asked->resources != 0 ? asked->resources : FI_RM_ENABLED;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = asked->unordered ? 0 : FI_ORDER_SAS;
    if (asked->shallow) hints->tx_attr->size = hints->rx_attr->size = DEPTH;
    hints->tx_attr->op_flags = asked->delivered ? FI_DELIVERY_COMPLETE : 0;
    hints->fabric_attr->prov_name = strdup(asked->provider);
    const bool local = strcmp(asked->provider, "shm") == 0;
    must("fi_getinfo", fi_getinfo(FI_VERSION(1, 17), local ? NULL : "127.0.0.1", NULL, local ? 0 : FI_SOURCE,
                                  hints, &info));
    fi_freeinfo(hints);
    return info;
}

static void open_queues(concept_side *side)
{
    struct fi_av_attr av = {.type = FI_AV_TABLE, .count = 16};
    must("fi_av_open", fi_av_open(side->domain, &av, &side->addresses, NULL));
    struct fi_cq_attr cq = {.format = side->asked.format != 0 ? side->asked.format : FI_CQ_FORMAT_MSG,
                            .wait_obj = side->asked.sleeps ? FI_WAIT_FD : FI_WAIT_NONE};
    must("fi_cq_open", fi_cq_open(side->domain, &cq, &side->completions, NULL));
    must("fi_endpoint", fi_endpoint(side->domain, side->info, &side->endpoint, NULL));
    must("binding addresses", fi_ep_bind(side->endpoint, &side->addresses->fid, 0));
    const uint64_t selective = (side->asked.caps & FI_RMA) != 0 ? FI_SELECTIVE_COMPLETION : 0;
    must("binding the queue", fi_ep_bind(side->endpoint, &side->completions->fid, FI_TRANSMIT | selective));
    must("binding the queue", fi_ep_bind(side->endpoint, &side->completions->fid, FI_RECV));
    if (selective == 0) return;
    struct fi_cntr_attr counter = {.events = FI_CNTR_EVENTS_COMP};
    must("fi_cntr_open", fi_cntr_open(side->domain, &counter, &side->counter, NULL));
    must("binding the counter", fi_ep_bind(side->endpoint, &side->counter->fid, FI_WRITE));
}

static void register_memory(concept_side *side)
{
    const bool remote = (side->asked.caps & (FI_RMA | FI_ATOMIC)) != 0;
    if (!remote && (side->info->domain_attr->mr_mode & FI_MR_LOCAL) == 0) return;
    const uint64_t access =
        FI_SEND | FI_RECV | (remote ? FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE : 0);
    must("fi_mr_reg", fi_mr_reg(side->domain, side->memory, (size_t)ROOM * (2 * DEPTH + 1), access, 0, 1, 0,
                                &side->region, NULL));
    side->descriptor = fi_mr_desc(side->region);
}

static void meet(concept_side *side)
{
    struct {
        size_t bytes;
        char name[256];
    } mine = {.bytes = sizeof mine.name}, theirs;
    must("fi_getname", fi_getname(&side->endpoint->fid, mine.name, &mine.bytes));
    side_swap(side, &mine, &theirs, sizeof mine);
    if (fi_av_insert(side->addresses, theirs.name, 1, &side->peer, 0, NULL) != 1) die("fi_av_insert", FI_EIO);
}

void side_open(concept_side *side, const concept_settings *asked, int link)
{
    side->asked = *asked;
    side->link = link;
    if (side->asked.batch == 0) side->asked.batch = 16;
    if (side->asked.bytes == 0) side->asked.bytes = 64;
    side->info = choose(asked);
    must("fi_fabric", fi_fabric(side->info->fabric_attr, &side->fabric, NULL));
    must("fi_domain", fi_domain(side->fabric, side->info, &side->domain, NULL));
    open_queues(side);
    must("fi_enable", fi_enable(side->endpoint));
    side->memory = calloc(2 * DEPTH + 1, ROOM);
    register_memory(side);
    for (int i = 0; i < DEPTH; i++) {
        side->receives[i].buffer = side->memory + (size_t)ROOM * (size_t)i;
        side->sends[i].buffer = side->memory + (size_t)ROOM * (size_t)(DEPTH + i);
    }
    side->many.buffer = side->memory;
    meet(side);
}

void side_close(concept_side *side)
{
    struct fid *const order[] = {&side->endpoint->fid,
                                 side->region != NULL ? &side->region->fid : NULL,
                                 side->counter != NULL ? &side->counter->fid : NULL,
                                 &side->completions->fid,
                                 &side->addresses->fid,
                                 &side->domain->fid,
                                 &side->fabric->fid};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (order[i] != NULL) fi_close(order[i]);
    fi_freeinfo(side->info);
    free(side->memory);
}

static void post(concept_side *side, operation *one)
{
    const ssize_t result =
        side->asked.tagged
            ? fi_trecv(side->endpoint, one->buffer, ROOM, side->descriptor, FI_ADDR_UNSPEC, 1, 0, one)
            : fi_recv(side->endpoint, one->buffer, ROOM, side->descriptor, FI_ADDR_UNSPEC, one);
    must("fi_recv", result);
}

static void post_many(concept_side *side)
{
    const struct iovec all = {side->many.buffer, (size_t)ROOM * DEPTH};
    void *descriptor = side->descriptor;
    const struct fi_msg message = {
        .msg_iov = &all, .desc = &descriptor, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = &side->many};
    must("fi_recvmsg", fi_recvmsg(side->endpoint, &message, FI_MULTI_RECV));
}

void side_post_receives(concept_side *side)
{
    for (int i = 0; i < DEPTH && !side->asked.multi; i++)
        post(side, &side->receives[i]);
    if (side->asked.multi) post_many(side);
}

static ssize_t try_send(concept_side *side, operation *one, size_t bytes)
{
    if (side->asked.inject) return fi_inject(side->endpoint, one->buffer, bytes, side->peer);
    if (side->asked.tagged)
        return fi_tsend(side->endpoint, one->buffer, bytes, side->descriptor, side->peer, 1, one);
    if (!side->asked.structs && (side->asked.caps & FI_RMA) == 0)
        return fi_send(side->endpoint, one->buffer, bytes, side->descriptor, side->peer, one);
    const struct iovec piece = {one->buffer, bytes};
    const struct fi_msg message = {
        .msg_iov = &piece, .desc = &side->descriptor, .iov_count = 1, .addr = side->peer, .context = one};
    return fi_sendmsg(side->endpoint, &message, FI_COMPLETION);
}

void side_send(concept_side *side, size_t bytes)
{
    while (side->sent - side->left >= DEPTH)
        side_progress(side);
    operation *one = &side->sends[side->sent % DEPTH];
    ssize_t result;
    while ((result = try_send(side, one, bytes)) == -FI_EAGAIN)
        side_progress(side);
    must("fi_send", result);
    side->sent++;
    if (side->asked.inject) side->left++;
}

static void take(concept_side *side, operation *one, uint64_t flags)
{
    if (one == &side->many) {
        side->received += (flags & FI_RECV) != 0;
        if ((flags & FI_MULTI_RECV) != 0) post_many(side);
    } else if (one >= side->receives && one < side->receives + DEPTH) {
        side->received++;
        post(side, one);
    } else {
        side->left++;
    }
}

static size_t entry_bytes(const concept_side *side)
{
    switch (side->asked.format) {
    case FI_CQ_FORMAT_CONTEXT: return sizeof(struct fi_cq_entry);
    case FI_CQ_FORMAT_DATA: return sizeof(struct fi_cq_data_entry);
    case FI_CQ_FORMAT_TAGGED: return sizeof(struct fi_cq_tagged_entry);
    default: return sizeof(struct fi_cq_msg_entry);
    }
}

void side_progress(concept_side *side)
{
    char entries[DEPTH * sizeof(struct fi_cq_tagged_entry)];
    const ssize_t count = fi_cq_read(side->completions, entries, (size_t)side->asked.batch);
    if (count == -FI_EAGAIN) return;
    if (count == -FI_EAVAIL) {
        struct fi_cq_err_entry error = {0};
        fi_cq_readerr(side->completions, &error, 0);
        die("a completion", error.err);
    }
    if (count < 0) die("fi_cq_read", count);
    const size_t each = entry_bytes(side);
    for (ssize_t i = 0; i < count; i++) {
        struct fi_cq_msg_entry entry = {0};
        memcpy(&entry, entries + (size_t)i * each, each < sizeof entry ? each : sizeof entry);
        take(side, entry.op_context, entry.flags);
    }
}

void side_wait_sent(concept_side *side)
{
    while (side->left < side->sent)
        side_progress(side);
}

void side_wait_received(concept_side *side, uint64_t count)
{
    while (side->received < count)
        side_progress(side);
}

void side_swap(const concept_side *side, const void *mine, void *theirs, size_t bytes)
{
    if (send(side->link, mine, bytes, 0) != (ssize_t)bytes ||
        recv(side->link, theirs, bytes, MSG_WAITALL) != (ssize_t)bytes)
        die("the other process", FI_EIO);
}

bool side_is_called(const concept_side *side)
{
    char byte;
    return recv(side->link, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

static pid_t start(const concept_settings *asked, end_first first, end_second second, const int link[2],
                   int answer)
{
    const pid_t child = fork();
    if (child != 0) return child;
    close(link[1]); /* so that the end of either process is seen by the other */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(LIMIT_S);
    static concept_side mine;
    side_open(&mine, asked, link[0]);
    double figure = 0;
    if (first != NULL)
        figure = first(&mine);
    else
        second(&mine);
    char word;
    side_swap(&mine, "", &word, 1); /* neither goes before the other is through */
    if (first != NULL && write(answer, &figure, sizeof figure) != sizeof figure) _exit(1);
    side_close(&mine);
    _exit(0);
}

double pair_run(const concept_settings *asked, end_first first, end_second second)
{
    int link[2], answer[2], status = 0, worst = 0;
    double figure = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, link) != 0 || pipe(answer) != 0) return -1;
    const pid_t other = start(asked, NULL, second, (int[]){link[1], link[0]}, answer[1]);
    const pid_t one = start(asked, first, NULL, link, answer[1]);
    close(answer[1]);
    close(link[0]);
    close(link[1]);
    if (read(answer[0], &figure, sizeof figure) != sizeof figure) figure = -1;
    close(answer[0]);
    for (int i = 0; i < 2; i++) {
        waitpid(i == 0 ? one : other, &status, 0);
        worst |= status;
    }
    return worst == 0 ? figure : -1;
}
