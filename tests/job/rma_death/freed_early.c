/* SPDX-License-Identifier: BSD-3-Clause */
/* freed_early [alloc]: the last rank dies. Rank 0 hears of it and ends the window, while the others, to whom
 * that death is nothing, write into rank 0's part, and go on doing so: from the end on the memory, the
 * program's own or of tutti_mem_alloc(), is rank 0's alone, and none of the survivors takes another for dead.
 */
#include <stdbool.h>
#include <string.h>

#include "tests/job/lose.h"

#define BYTES 400000
#define OURS 7
#define THEIRS 9

enum { TAG_ENDED, TAG_DONE };

static _Alignas(8) unsigned char own[BYTES], data[BYTES];
static void *memory = own;

static bool is_all(const unsigned char *at, unsigned char value)
{
    return at[0] == value && memcmp(at, at + 1, BYTES - 1) == 0;
}

static void end_the_window(tutti_window *window)
{
    char word;
    EXPECT(tutti_recv(world, &word, 1, size - 1, 0, NULL) == TUTTI_ERR_PEER_FAILED);
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_PEER_FAILED);
    memset(memory, OURS, BYTES);
    for (int r = 1; r < size - 1; r++)
        OK(tutti_send(world, &word, 1, r, TAG_ENDED));
    for (int r = 1; r < size - 1; r++)
        OK(tutti_recv(world, &word, 1, r, TAG_DONE, NULL));
    EXPECT(is_all(memory, OURS));
}

static void expect_end(int code)
{
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
}

/* Begins one and waits for the one before: there is never a moment without any. */
static void put_another(tutti_window *window, tutti_request **before)
{
    tutti_request *next = NULL;
    expect_end(tutti_put(window, data, BYTES, 0, 0, &next));
    expect_end(tutti_wait(before, NULL));
    *before = next;
}

/* Some of the writes are short, some long, some not waited for, and some signal or add. */
static void put_some(tutti_window *window, tutti_request **before)
{
    static const size_t lengths[] = {8, 5000, 20000, BYTES};
    tutti_request *requests[4] = {NULL, NULL, NULL, NULL};
    for (int i = 0; i < 4; i++)
        expect_end(tutti_put(window, data, lengths[i], 0, 0, i % 2 == 0 ? &requests[i] : NULL));
    put_another(window, before);
    expect_end(tutti_put_signal(window, data, 8, 0, 0, 8, 1));
    expect_end(tutti_accumulate(window, data, 2, TUTTI_UINT64, TUTTI_SUM, 0, 16, NULL));
    put_another(window, before);
    for (int i = 0; i < 4; i++)
        expect_end(tutti_wait(&requests[i], NULL));
}

static void write_on(tutti_window *window)
{
    char word = 0;
    int has_ended = 0;
    tutti_request *ended, *before = NULL;
    memset(data, THEIRS, BYTES);
    OK(tutti_irecv(world, &word, 1, 0, TAG_ENDED, &ended));
    while (!has_ended) {
        put_some(window, &before);
        OK(tutti_test(&ended, &has_ended, NULL));
    }
    for (int i = 0; i < 20; i++)
        put_some(window, &before);
    expect_end(tutti_wait(&before, NULL));
    OK(tutti_send(world, &word, 1, 0, TAG_DONE));
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_PEER_FAILED);
}

int main(int argc, char **argv)
{
    job_open(TUTTI_THREAD_SINGLE);
    if (argc > 1 && strcmp(argv[1], "alloc") == 0) OK(tutti_mem_alloc(world, BYTES, &memory));
    tutti_window *window;
    OK(tutti_window_create(world, memory, BYTES, &window));
    OK(tutti_barrier(world));
    lose_untold(world, size - 1);
    if (rank == 0)
        end_the_window(window);
    else
        write_on(window);
    return survive(world, 1);
}
