/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls, of calls of all ranks that are no collectives: those that make communicators, windows
 * and checkpoints. Where one rank makes another one all get an error that names what their programs called;
 * nothing has been done, and all can be used. */
#include "tests/job/job.h"

static tutti_comm *grid;
static tutti_window *window;
static char memory[64], state[1000];

static int dup(tutti_comm **made)
{
    return tutti_comm_dup(world, made);
}

static int split(tutti_comm **made)
{
    return tutti_comm_split(world, rank % 2, 0, made);
}

static int split_node(tutti_comm **made)
{
    return tutti_comm_split_node(world, made);
}

static int create(tutti_comm **made)
{
    return tutti_comm_create(world, &rank, 1, made);
}

static int graph(tutti_comm **made)
{
    const int before = (rank + size - 1) % size, next = (rank + 1) % size;
    return tutti_comm_graph(world, &before, NULL, 1, &next, NULL, 1, made);
}

static int make_grid(tutti_comm **made)
{
    return tutti_comm_grid(world, 1, &size, NULL, 0, made);
}

static int stencil(tutti_comm **made)
{
    const int offset = 1;
    return tutti_comm_stencil(grid, &offset, 1, made);
}

static int part(tutti_comm **made)
{
    const int keep = 1;
    return tutti_grid_part(grid, &keep, made);
}

static int barrier(tutti_comm **made)
{
    (void)made;
    return tutti_barrier(world);
}

static int barrier_of_grid(tutti_comm **made)
{
    (void)made;
    return tutti_barrier(grid);
}

static int reduce(tutti_comm **made)
{
    int sum;
    (void)made;
    return tutti_allreduce(world, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM);
}

static int start_reduce(tutti_comm **made)
{
    static int sum;
    tutti_request *request;
    (void)made;
    const int code = tutti_iallreduce(world, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

static int open_window(tutti_comm **made)
{
    tutti_window *other;
    (void)made;
    const int code = tutti_window_create(world, memory, sizeof memory, &other);
    if (code == 0) OK(tutti_window_free(&other));
    return code;
}

static int free_window(tutti_comm **made)
{
    (void)made;
    return tutti_window_free(&window);
}

static int keep(tutti_comm **made)
{
    (void)made;
    return tutti_keep(world, "state", state, sizeof state);
}

static int begin_keep(tutti_comm **made)
{
    tutti_request *request;
    (void)made;
    const int code = tutti_ikeep(world, "other", state, sizeof state, &request);
    return code != 0 ? code : tutti_wait(&request, NULL);
}

static int recall(tutti_comm **made)
{
    tutti_kept piece;
    int count;
    (void)made;
    return tutti_recall(world, "state", &piece, 1, &count);
}

typedef struct {
    const char *name;
    int (*make)(tutti_comm **made);
} call;

/* Most ranks make the one, the last one the other. */
static void expect_named(call most, call last)
{
    tutti_comm *made = NULL;
    char text[160];
    snprintf(text, sizeof text, "the ranks make different calls: rank 0 tutti_%s, rank %d tutti_%s",
             most.name, size - 1, last.name);
    EXPECT((rank == size - 1 ? last : most).make(&made) == TUTTI_ERR_ARG);
    EXPECT(strcmp(tutti_error_detail(), text) == 0);
    EXPECT(made == NULL);
}

static void test_each_other(const call *calls, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (i != j) expect_named(calls[i], calls[j]);
}

static void expect_made(call c)
{
    tutti_comm *made = NULL;
    OK(c.make(&made));
    OK(tutti_comm_free(&made));
}

/* What differed before left all in step. */
static void expect_usable(void)
{
    tutti_request *requests[2];
    tutti_kept piece = {.rank = -1};
    int count = 0, other = -1;
    state[0] = (char)(state[0] + 1);
    OK(tutti_ikeep(world, "other", memory, sizeof memory, &requests[0]));
    OK(tutti_ikeep(world, "state", state, sizeof state, &requests[1]));
    OK(tutti_put(window, &rank, sizeof rank, (rank + 1) % size, 0, NULL));
    OK(tutti_flush(window, TUTTI_ALL));
    OK(tutti_barrier(world));
    memcpy(&other, memory, sizeof other);
    EXPECT(other == (rank + size - 1) % size);
    OK(tutti_waitall(2, requests, NULL));
    OK(tutti_recall(world, "state", &piece, 1, &count));
    EXPECT(count == 1 && piece.rank == rank && piece.bytes == sizeof state);
    EXPECT(memcmp(piece.data, state, sizeof state) == 0);
}

/* A version that is begun before ranks hear that the call before it differs is made all the same. */
static void test_begun_after(void)
{
    static int sum;
    tutti_request *differs, *after;
    if (rank == 0)
        OK(tutti_ikeep(world, "other", memory, sizeof memory, &differs));
    else
        OK(tutti_iallreduce(world, &rank, &sum, 1, TUTTI_INT32, TUTTI_SUM, &differs));
    OK(tutti_ikeep(world, "state", state, sizeof state, &after));
    EXPECT(tutti_wait(&differs, NULL) == TUTTI_ERR_ARG);
    OK(tutti_wait(&after, NULL));
}

/* Not a rank waits for another that has yet to send to it, though the calls are compared. */
static void test_does_not_wait(void)
{
    tutti_request *request;
    int token = 7;
    if (rank > 0) OK(tutti_recv(world, &token, sizeof token, rank - 1, 0, NULL));
    OK(tutti_ikeep(world, "state", state, sizeof state, &request));
    if (rank < size - 1) OK(tutti_send(world, &token, sizeof token, rank + 1, 0));
    OK(tutti_wait(&request, NULL));
}

/* Of a window that is left when its communicator has been freed. */
static void test_freed_comm(void)
{
    tutti_comm *comm;
    tutti_window *left;
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_window_create(comm, memory, sizeof memory, &left));
    OK(tutti_comm_free(&comm));
    OK(tutti_window_free(&left));
}

int main(void)
{
    static const char *const set[] = {"TUTTI_VERIFY=calls", NULL};
    static const call of_world[] = {{"comm_dup", dup},
                                    {"comm_split", split},
                                    {"comm_split_node", split_node},
                                    {"comm_create", create},
                                    {"comm_graph", graph},
                                    {"comm_grid", make_grid},
                                    {"barrier", barrier},
                                    {"allreduce of 4 bytes (int32, sum)", reduce},
                                    {"iallreduce of 4 bytes (int32, sum)", start_reduce},
                                    {"window_create", open_window},
                                    {"window_free", free_window},
                                    {"keep", keep},
                                    {"ikeep", begin_keep},
                                    {"recall", recall}};
    static const call of_grid[] = {
        {"comm_stencil", stencil}, {"grid_part", part}, {"barrier", barrier_of_grid}};
    job_open_with(&(tutti_options){.set = set});
    job_need(2);
    expect_named(of_world[0], of_world[6]); /* on a communicator that has had no call */
    OK(make_grid(&grid));
    OK(tutti_window_create(world, memory, sizeof memory, &window));
    expect_usable();
    test_each_other(of_world, sizeof of_world / sizeof of_world[0]);
    test_each_other(of_grid, sizeof of_grid / sizeof of_grid[0]);
    expect_usable();
    test_begun_after();
    expect_usable();
    test_does_not_wait();
    for (int i = 0; i < 6; i++)
        expect_made(of_world[i]);
    for (int i = 0; i < 2; i++)
        expect_made(of_grid[i]);
    test_freed_comm();
    OK(tutti_window_free(&window));
    OK(tutti_comm_free(&grid));
    return job_close();
}
