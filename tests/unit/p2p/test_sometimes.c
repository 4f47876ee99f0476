/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that makes calls of one kind alone, each of which finds all done at once, makes progress in some
 * of them: others may ask something of it. */
#include "runtime/base/options.h"
#include "runtime/rma/rma_messages.h"
#include "runtime/rma/window_state.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define CALLS 32 /* one of so many makes progress */

static char byte;
static tutti_request *none, *persistent;

static void test(void)
{
    int done;
    EXPECT(tutti_test(&none, &done, NULL) == 0 && done);
}

static void test_inactive(void)
{
    int done;
    EXPECT(tutti_test(&persistent, &done, NULL) == 0 && done);
}

static void testall(void)
{
    int done;
    EXPECT(tutti_testall(1, &none, &done, NULL) == 0 && done);
}

static void testany(void)
{
    int index, done;
    EXPECT(tutti_testany(1, &none, &index, &done, NULL) == 0 && done && index == -1);
}

static void iprobe(void)
{
    int found;
    EXPECT(tutti_iprobe(lone.world, 0, 3, &found, NULL) == 0 && found);
}

static void probe(void)
{
    EXPECT(tutti_probe(lone.world, 0, 3, NULL) == 0);
}

static void put(void)
{
    EXPECT(tutti_put(lone.window, &byte, 1, 0, 1, NULL) == 0);
}

static void put_signal(void)
{
    EXPECT(tutti_put_signal(lone.window, &byte, 1, 0, 1, 16, 1) == 0);
}

static void signal_alone(void)
{
    EXPECT(tutti_put_signal(lone.window, NULL, 0, 0, 0, 16, 1) == 0);
}

static void lets_in(void (*call)(void))
{
    lone_open();
    const struct {
        tti_packet_head head;
        tti_rma_request_head rma;
        char data[8];
    } request = {tti_packet_head_for(TTI_PACKET_AM, LONE_NEIGHBOUR, 0, TTI_AM_RMA_REQUEST),
                 {lone.window->number, TTI_RMA_PUT, 8, 8, 0, 0, 0, 0},
                 {1}};
    EXPECT(tutti_send(lone.world, &byte, 1, 0, 3) == 0);
    EXPECT(tutti_recv_init(lone.world, &byte, 1, 0, 4, &persistent) == 0);
    lone_receive_later(&request, offsetof(__typeof__(request), data) + sizeof request.data);
    for (int i = 0; i < CALLS; i++)
        call();
    EXPECT(lone.memory[8] == 1);
    EXPECT(tutti_request_free(&persistent) == 0);
    lone_close();
}

int main(void)
{
    static void (*const calls[])(void) = {test,  test_inactive, testall,    testany,     iprobe,
                                          probe, put,           put_signal, signal_alone};
    EXPECT(tti_options_load(NULL) == 0);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        lets_in(calls[i]);
    return 0;
}
