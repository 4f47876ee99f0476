/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners say that their parts of windows end which are not here. What is kept of that, for windows that are
 * still to be made, does not outlast the communicator. */
#include "runtime/p2p/p2p.h"
#include "runtime/rma/window_state.h"
#include "tests/unit/expect.h"
#include "tests/unit/p2p/lone_rank.h"

#define OWNER 2    /* a rank over the fabric */
#define CONTEXT 77 /* of a communicator that is freed */
#define BLOCKS 64  /* that may be allocated while one such word comes */

void *__wrap_malloc(size_t bytes);
void *__real_malloc(size_t bytes);
void __wrap_free(void *block);
void __real_free(void *block);

static bool noting;
static const void *kept[BLOCKS]; /* what was allocated then, and is there still */

static void replace(const void *old, const void *with)
{
    int i = 0;
    while (i < BLOCKS && kept[i] != old)
        i++;
    EXPECT(i < BLOCKS || with == NULL);
    if (i < BLOCKS) kept[i] = with;
}

void *__wrap_malloc(size_t bytes)
{
    void *block = __real_malloc(bytes);
    if (noting && block != NULL) replace(NULL, block);
    return block;
}

void __wrap_free(void *block)
{
    if (block != NULL) replace(block, NULL);
    __real_free(block);
}

static int count_kept(void)
{
    int count = 0;
    for (int i = 0; i < BLOCKS; i++)
        count += kept[i] != NULL;
    return count;
}

/* The owner's part ends of a window that has this number there. */
static void end(uint64_t context, uint32_t number)
{
    const struct {
        tti_packet_head head;
        uint64_t context;
        uint32_t number, reserved;
    } packet = {tti_packet_head_for(TTI_PACKET_AM, OWNER, 0, TTI_AM_RMA_END), context, number, 0};
    const int before = lone.sent[OWNER];
    noting = true;
    lone_receive(OWNER, &packet, sizeof packet);
    noting = false;
    EXPECT(lone.sent[OWNER] == before + 1); /* it is answered */
}

static tutti_comm *make_comm(void)
{
    const int members[] = {0, OWNER};
    tutti_comm *comm;
    EXPECT(tti_comm_make(members, 2, 0, &comm) == 0);
    tti_comm_set_context(comm, CONTEXT);
    return comm;
}

/* Where the stand-ins make one, the owner's number of it is the next one here. */
static tutti_window *make_window(tutti_comm *comm)
{
    static char memory[8];
    tutti_window *window;
    EXPECT(tutti_window_create(comm, memory, sizeof memory, &window) == 0);
    return window;
}

static void test_end_before_the_window(uint32_t number)
{
    end(0, number);
    EXPECT(count_kept() == 1);
    tutti_window *window = make_window(lone.world);
    EXPECT(count_kept() == 0);
    EXPECT(window->states[OWNER].ended);
    EXPECT(tutti_window_free(&window) == 0);
}

/* Nobody can tell what is still to come while there is the communicator; then all of it goes. */
static void test_ends_of_a_communicator_that_goes(void)
{
    tutti_comm *comm = make_comm();
    end(CONTEXT, 1000);
    end(CONTEXT, 1001);
    EXPECT(count_kept() == 2);
    tti_comm_release(comm);
    tutti_window *window = make_window(lone.world);
    EXPECT(count_kept() == 0);
    EXPECT(tutti_window_free(&window) == 0);
}

static void test_end_behind_the_communicator(void)
{
    end(CONTEXT, 1000);
    EXPECT(count_kept() == 0);
}

int main(void)
{
    lone_open();
    end(CONTEXT, 1000); /* the first word to the owner takes memory that stays */
    for (int i = 0; i < BLOCKS; i++)
        kept[i] = NULL;
    test_end_before_the_window(2);
    test_ends_of_a_communicator_that_goes();
    test_end_behind_the_communicator();
    lone_close();
    return 0;
}
