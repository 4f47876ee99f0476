/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections one after the other, closed by either side or broken: no descriptor, no memory and no
 * place is left over.
 *
 *   stream_cycles [VARIANT [CYCLES]] */
#include <malloc.h>
#include <stdlib.h>

#include "tests/descriptors.h"
#include "tests/streams/ends.h"
#include "tests/streams/memory.h"

#define WARM 100
#define GROWTH_MOST ((long)64 << 10) /* bytes, whatever the cycles */

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

/* What malloc() has given out; 0 where a sanitizer does its work. */
static long memory_in_use(void)
{
    const struct mallinfo2 all = mallinfo2();
    return (long)(all.uordblks + all.hblkhd);
}

int main(int argc, char **argv)
{
    const int cycles = argc > 2 ? atoi(argv[2]) : 400;
    ends_setup(argc > 2 ? 2 : argc, argv);
    tutti_stream_options options = {.max_streams = 2};
    tutti_stream_context *context = ends_context(&options);
    end near = {0};
    char address[80];
    tutti_stream_listener *listener = ends_listen(context, &near, address);
    int descriptors = 0;
    long in_use = 0, resident = 0;
    for (int i = 0; i < WARM + cycles; i++) {
        if (i == WARM) {
            descriptors = count_descriptors();
            in_use = memory_in_use();
            resident = memory_resident();
        }
        cycle(context, &near, address, i);
    }
    printf("%d connections: %ld bytes in use more, %ld resident\n", cycles, memory_in_use() - in_use,
           memory_resident() - resident);
    EXPECT(count_descriptors() == descriptors);
    EXPECT(memory_in_use() - in_use < GROWTH_MOST);
    EXPECT(tutti_stream_listener_close(&listener) == 0);
    EXPECT(tutti_stream_context_destroy(&context) == 0);
    return 0;
}
