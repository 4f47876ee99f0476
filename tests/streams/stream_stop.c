/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_stream_stop() ends tutti_stream_run(), or the next one, and leaves nothing behind that would wake the
 * program again and again; also where the thread that calls it is held up in the midst of it. */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/streams/ends.h"

static tutti_stream_context *context;
static bool holds_up;

/* In place of the C library's: as if the loop's thread came first, ended its run, and went on. */
int eventfd_write(int descriptor, eventfd_t value)
{
    if (holds_up) {
        holds_up = false;
        EXPECT(tutti_stream_run(context) == 0); /* there is nothing to wait for */
        EXPECT(tutti_stream_process(context, 0) == 0);
    }
    return write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}

/* Within some looks. */
static void expect_rest(void)
{
    struct pollfd descriptor = {.fd = tutti_stream_fd(context), .events = POLLIN};
    int looks = 0;
    do {
        EXPECT(tutti_stream_process(context, 0) == 0 && ++looks < 1000);
    } while (poll(&descriptor, 1, 0) > 0);
}

int main(void)
{
    end mine = {0};
    char address[80];
    context = ends_context(NULL);
    holds_up = true;
    tutti_stream_stop(context);
    EXPECT(!holds_up);
    expect_rest();
    tutti_stream_listener *listener = ends_listen(context, &mine, address);
    tutti_stream_stop(context);
    EXPECT(tutti_stream_run(context) == 0); /* though there is a listener to wait for */
    expect_rest();
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
