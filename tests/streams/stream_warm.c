/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that are used again are those used last, which caches have: messages that are looked at and given
 * back one by one come in one long buffer or two, whatever the number of those there are; and where some are
 * held others take their place. Where each connection has receives of its own ("unshared") all are posted and
 * come in turn: then nothing gets stuck by that. */
#include "tests/streams/pair.h"

#define MESSAGES 200
#define DIFFERENT_MOST 2

static void *seen[MESSAGES];
static int different, hold_next;

static bool note(void *data)
{
    int at = 0;
    while (at < different && seen[at] != data)
        at++;
    seen[at] = data;
    if (at == different) different++;
    return hold_next > 0 && hold_next-- > 0;
}

static void send_one_by_one(pair *both, int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t before = both->near.messages;
        pair_send(both, 1);
        ends_until_messages(both->context, &both->near, before + 1);
    }
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    pair both;
    const tutti_stream_options options = {.buffer_bytes = (size_t)1 << 20, .credits = 16, .coalesce_ms = -1};
    pair_open(&both, &options);
    both.near.keep = note;
    send_one_by_one(&both, MESSAGES);
    const int most = both.context->shared != NULL ? DIFFERENT_MOST : both.context->receive.active;
    printf("%d messages came in %d buffers\n", MESSAGES, different);
    EXPECT(different <= most);
    hold_next = 5;
    send_one_by_one(&both, 5);
    EXPECT(different >= 5);
    send_one_by_one(&both, MESSAGES / 2);
    EXPECT(different <= 5 + most);
    pair_close(&both);
    return 0;
}
