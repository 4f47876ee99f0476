/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/streams/pair.h"

#include <string.h>

/* Network operations of the sender, counted on their way to libfabric. */
static struct fi_ops_msg counted, *real;
int pair_operations;

static ssize_t count_send(struct fid_ep *endpoint, const void *data, size_t bytes, void *descriptor,
                          fi_addr_t to, void *context)
{
    const ssize_t result = real->send(endpoint, data, bytes, descriptor, to, context);
    pair_operations += result == 0 && ((tti_stream_slot *)context)->kind == TTI_FRAME_MESSAGE;
    return result;
}

void pair_open(pair *both, const tutti_stream_options *options)
{
    memset(both, 0, sizeof *both);
    both->context = ends_context(options);
    both->listener = ends_listen(both->context, &both->near, both->address);
    both->far.most = 50;
    ends_connect(both->context, &both->far, both->address);
    ends_until(both->context, &both->near.opened, "the connection");
    real = both->far.stream->endpoint->msg;
    counted = *real;
    counted.send = count_send;
    both->far.stream->endpoint->msg = &counted;
    pair_operations = 0;
}

void pair_close(pair *both)
{
    if (both->far.stream != NULL) ends_close(both->context, &both->far);
    ends_until(both->context, &both->near.closed, "the close");
    EXPECT(tutti_stream_listener_close(&both->listener) == 0);
    EXPECT(tutti_stream_context_destroy(&both->context) == 0);
}

void pair_send(pair *both, int count)
{
    for (int i = 0; i < count; i++)
        EXPECT(ends_send(&both->far));
}
