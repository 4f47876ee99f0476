/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations are asynchronous: a call hands one over and returns, a completion tells its end, and until then
 * its buffer and its context are the provider's. */
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>

int failed(const char *what, long error)
{
    fprintf(stderr, "%s: %s\n", what, fi_strerror((int)-error));
    return -1;
}

int gave_up(const struct arguments *arguments)
{
    fprintf(stderr, "nothing heard of the other side for %d s (-t)\n", arguments->limit_ms / 1000);
    return -1;
}

/* Where FI_MR_LOCAL is set the provider sends from, and receives into, registered memory alone, and wants its
 * descriptor with each call. */
static int open_buffer(struct transfer *transfer, const struct fi_info *info, struct operation *operation,
                       uint64_t access)
{
    const size_t room = transfer->arguments->bytes + 1; /* so that an empty message has a buffer too */
    operation->buffer = calloc(1, room);
    if (operation->buffer == NULL) return failed("a buffer for messages", -FI_ENOMEM);
    if ((info->domain_attr->mr_mode & FI_MR_LOCAL) == 0 && !transfer->arguments->registers) return 0;
    const uint64_t key = access; /* any that is used once; with FI_MR_PROV_KEY the provider takes its own */
    const int result =
        fi_mr_reg(transfer->domain, operation->buffer, room, access, 0, key, 0, &operation->region, NULL);
    return result == 0 ? 0 : failed("fi_mr_reg", result);
}

int open_transfer(struct transfer *transfer, struct fid_fabric *fabric, struct fi_info *info)
{
    struct fi_cq_attr attr = {.format = FI_CQ_FORMAT_MSG, /* entries tell context and length */
                              .wait_obj = transfer->arguments->sleeps ? FI_WAIT_UNSPEC : FI_WAIT_NONE};
    if (transfer->arguments->bytes > info->ep_attr->max_msg_size)
        return failed("messages of so many bytes", -FI_EMSGSIZE);
    int result = fi_domain(fabric, info, &transfer->domain, NULL);
    if (result != 0) return failed("fi_domain", result);
    result = fi_cq_open(transfer->domain, &attr, &transfer->completions, NULL);
    if (result != 0)
        return failed(transfer->arguments->sleeps ? "fi_cq_open, to sleep on (-w)" : "fi_cq_open", result);
    if (open_buffer(transfer, info, &transfer->sent, FI_SEND) != 0) return -1;
    return open_buffer(transfer, info, &transfer->received, FI_RECV);
}

static int read_error(struct transfer *transfer)
{
    struct fi_cq_err_entry error = {0};
    const ssize_t got = fi_cq_readerr(transfer->completions, &error, 0);
    if (got != 1) return failed("fi_cq_readerr", got);
    fprintf(stderr, "%s: %s (%s)\n", error.op_context == &transfer->sent ? "sending" : "receiving",
            fi_strerror(abs(error.err)), /* some providers turn the sign round */
            fi_cq_strerror(transfer->completions, error.prov_errno, error.err_data, NULL, 0));
    return -1;
}

/* Reads a completion, or sees how long there has been none. */
static int look(struct transfer *transfer, bool sleep)
{
    struct fi_cq_msg_entry entry;
    const ssize_t got = sleep ? fi_cq_sread(transfer->completions, &entry, 1, NULL, 1000)
                              : fi_cq_read(transfer->completions, &entry, 1);
    if (got == 1) {
        struct operation *ended = entry.op_context;
        ended->bytes = entry.len;
        ended->done = true;
        transfer->heard_us = now_us();
        return 0;
    }
    if (got == -FI_EAVAIL) return read_error(transfer);
    if (got != -FI_EAGAIN && got != -FI_EINTR) return failed("reading the completion queue", got);
    const double silent_us = now_us() - transfer->heard_us;
    return silent_us < transfer->arguments->limit_ms * 1e3 ? 0 : gave_up(transfer->arguments);
}

int make_progress(struct transfer *transfer)
{
    return look(transfer, false);
}

/* Polling is faster than sleeping, and takes a processor. */
static int finish(struct transfer *transfer, const struct operation *wanted)
{
    while (!wanted->done) {
        if (look(transfer, transfer->arguments->sleeps) != 0) return -1;
    }
    return 0;
}

static void *descriptor_of(const struct operation *operation)
{
    return operation->region != NULL ? fi_mr_desc(operation->region) : NULL;
}

int post_receive(struct transfer *transfer)
{
    struct operation *in = &transfer->received;
    in->done = false;
    const ssize_t result = fi_recv(transfer->endpoint, in->buffer, transfer->arguments->bytes,
                                   descriptor_of(in), FI_ADDR_UNSPEC, &in->context);
    return result == 0 ? 0 : failed("fi_recv", result);
}

/* -FI_EAGAIN is no error: there is no room now, or no connection yet below an endpoint without connections.
 * Progress changes that. */
static int send_message(struct transfer *transfer, long number, bool whole)
{
    struct operation *out = &transfer->sent;
    const size_t bytes = transfer->arguments->bytes;
    fill(out->buffer, bytes, number, whole, transfer->is_server);
    out->done = false;
    ssize_t result;
    while ((result = fi_send(transfer->endpoint, out->buffer, bytes, descriptor_of(out), transfer->peer,
                             &out->context)) == -FI_EAGAIN) {
        if (make_progress(transfer) != 0) return -1;
    }
    return result == 0 ? finish(transfer, out) : failed("fi_send", result);
}

/* The next receive is posted before the other side, which waits for an answer, can send the next message. */
static int receive_message(struct transfer *transfer, long number, bool whole, bool last)
{
    const struct operation *in = &transfer->received;
    if (finish(transfer, in) != 0) return -1;
    if (!check(in->buffer, in->bytes, transfer->arguments->bytes, number, whole, !transfer->is_server))
        return -1;
    return last ? 0 : post_receive(transfer);
}

int exchange(struct transfer *transfer)
{
    const long count = WARM_UP + transfer->arguments->iterations;
    double start_us = transfer->heard_us = now_us();
    for (long i = 0; i < count; i++) {
        const bool last = i == count - 1, whole = i < WARM_UP || last;
        if (i == WARM_UP) start_us = now_us();
        if (!transfer->is_server && send_message(transfer, i, whole) != 0) return -1;
        if (receive_message(transfer, i, whole, last) != 0) return -1;
        if (transfer->is_server && send_message(transfer, i, whole) != 0) return -1;
    }
    print_result(transfer->arguments, now_us() - start_us);
    return 0;
}

/* What stands on another thing is closed before it. */
void close_transfer(struct transfer *transfer)
{
    if (transfer->endpoint != NULL) fi_close(&transfer->endpoint->fid);
    if (transfer->sent.region != NULL) fi_close(&transfer->sent.region->fid);
    if (transfer->received.region != NULL) fi_close(&transfer->received.region->fid);
    if (transfer->completions != NULL) fi_close(&transfer->completions->fid);
    if (transfer->domain != NULL) fi_close(&transfer->domain->fid);
    free(transfer->sent.buffer);
    free(transfer->received.buffer);
}
