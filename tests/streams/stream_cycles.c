/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections one after the other, closed by either side or broken: no descriptor and no place is left
 * over.
 */
#include "tests/streams/ends.h"

#define WARM 8
#define CYCLES 400

static void cycle(tutti_stream_context *context, end *near, const char *address, int number)
{
    end far = {0};
    *near = (end){0};
    ends_connect(context, &far, address);
    ends_send_all(context, &far, 3);
    ends_until_messages(context, near, 3);
    if (number % 3 == 2)
        EXPECT(tutti_stream_abort(far.stream) == 0);
    else
        EXPECT(tutti_stream_close(number % 3 == 0 ? far.stream : near->stream) == 0);
    if (number % 9 == 0) EXPECT(tutti_stream_close(near->stream) == 0); /* both at a time */
    ends_until(context, &far.closed, "the end of one side");
    ends_until(context, &near->closed, "the end of the other side");
    EXPECT(far.code == (number % 3 == 2 ? TUTTI_ERR_CANCELLED : 0));
    EXPECT(near->code == (number % 3 == 2 ? TUTTI_ERR_PEER_FAILED : 0));
}

int main(int argc, char **argv)
{
    ends_setup(argc, argv);
    tutti_stream_options options = {.max_streams = 2};
    tutti_stream_context *context = ends_context(&options);
    end near = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    int before = 0;
    for (int i = 0; i < WARM + CYCLES; i++) {
        if (i == WARM) before = ends_descriptors();
        cycle(context, &near, address, i);
    }
    EXPECT(ends_descriptors() == before);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
