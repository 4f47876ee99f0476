/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank revokes a communicator on which the others wait in every way there is: each wait ends with
 * TUTTI_ERR_REVOKED, and so does whatever is started then. Other communicators are not concerned, also where
 * the data of a long message is under way on the revoked one, which can be shrunk and takes everybody then.
 */
#include "tests/job/job.h"

#define LONG (1 << 20)

enum { IN_RECV, IN_ANY, IN_SSEND, IN_LONG_SEND, IN_PROBE, IN_BARRIER, IN_NONBLOCKING, IN_SIGNAL, WAYS };

static char buffer[LONG];

static int wait_for(tutti_request **request)
{
    return tutti_wait(request, NULL);
}

/* What is started must be so before the communicator is revoked: rank 0 waits for that, too. */
static int nonblocking(tutti_comm *comm)
{
    tutti_request *requests[3];
    int64_t sum = 0;
    OK(tutti_irecv(comm, buffer, 8, 0, 1, &requests[0]));
    OK(tutti_iallreduce(comm, TUTTI_IN_PLACE, &sum, 1, TUTTI_INT64, TUTTI_SUM, &requests[1]));
    OK(tutti_recv_init(comm, buffer, 8, 0, 2, &requests[2]));
    OK(tutti_start(requests[2]));
    OK(tutti_barrier(world));
    for (int i = 0; i < 3; i++)
        EXPECT(wait_for(&requests[i]) == TUTTI_ERR_REVOKED);
    EXPECT(tutti_start(requests[2]) == TUTTI_ERR_REVOKED);
    OK(tutti_request_free(&requests[2]));
    return TUTTI_ERR_REVOKED;
}

static int wait_in(int way, tutti_comm *comm, tutti_window *window)
{
    uint64_t seen;
    switch (way) {
    case IN_RECV: return tutti_recv(comm, buffer, 8, 0, 0, NULL);
    case IN_ANY: return tutti_recv(comm, buffer, 8, TUTTI_ANY_SOURCE, 0, NULL);
    case IN_SSEND: return tutti_ssend(comm, buffer, 8, 0, 0);
    case IN_LONG_SEND: return tutti_send(comm, buffer, LONG, 0, 0);
    case IN_PROBE: return tutti_probe(comm, 0, 0, NULL);
    case IN_BARRIER: return tutti_barrier(comm);
    case IN_NONBLOCKING: return nonblocking(comm);
    default: return tutti_signal_wait(window, 0, 1, &seen);
    }
}

static void revoke_beside(int way)
{
    tutti_comm *comm, *all;
    tutti_window *window;
    OK(tutti_comm_dup(world, &comm));
    memset(buffer, 0, 8);
    OK(tutti_window_create(comm, buffer, LONG, &window));
    OK(tutti_barrier(world));
    if (rank == 0) {
        const struct timespec moment = {0, (long)(way + 1) * 300000};
        if (way == IN_NONBLOCKING) OK(tutti_barrier(world));
        nanosleep(&moment, NULL);
        OK(tutti_comm_revoke(comm));
    } else {
        EXPECT(wait_in(way, comm, window) == TUTTI_ERR_REVOKED);
    }
    EXPECT(tutti_send(comm, buffer, 1, (rank + 1) % size, 0) == TUTTI_ERR_REVOKED);
    EXPECT(tutti_barrier(comm) == TUTTI_ERR_REVOKED);
    OK(tutti_comm_revoke(comm));
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_REVOKED);
    OK(tutti_comm_shrink(comm, &all));
    EXPECT(tutti_comm_size(all) == size && tutti_comm_rank(all) == rank);
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(all));
    OK(tutti_comm_free(&all));
    OK(tutti_barrier(world));
}

#define REVOKED(call) EXPECT((call) == TUTTI_ERR_REVOKED)

typedef struct {
    tutti_comm *comm;
    tutti_window *window;
    tutti_request *started; /* persistent, made before */
} revoked;

static void expect_no_calls(const revoked *r)
{
    const int all = tutti_comm_size(r->comm), next = (tutti_comm_rank(r->comm) + 1) % all;
    tutti_request *request = NULL;
    int64_t sum = 0;
    int flag;
    REVOKED(tutti_isend(r->comm, buffer, 8, next, 0, &request));
    REVOKED(tutti_iprobe(r->comm, next, 0, &flag, NULL));
    REVOKED(tutti_send_init(r->comm, buffer, 8, next, 0, &request));
    REVOKED(tutti_recv_init(r->comm, buffer, 8, TUTTI_ANY_SOURCE, 0, &request));
    REVOKED(tutti_barrier_init(r->comm, &request));
    REVOKED(tutti_allreduce_init(r->comm, TUTTI_IN_PLACE, &sum, 1, TUTTI_INT64, TUTTI_SUM, &request));
    REVOKED(tutti_ibarrier(r->comm, &request));
    REVOKED(tutti_start(r->started));
    EXPECT(request == NULL);
    OK(tutti_send(r->comm, buffer, 8, TUTTI_PROC_NULL, 0));
}

static void expect_no_window(const revoked *r)
{
    const int own = tutti_comm_rank(r->comm);
    tutti_window *made = NULL;
    REVOKED(tutti_put(r->window, buffer, 8, own, 0, NULL));
    REVOKED(tutti_flush(r->window, own));
    REVOKED(tutti_flush(r->window, TUTTI_ALL));
    REVOKED(tutti_window_create(r->comm, buffer, 8, &made));
    EXPECT(made == NULL);
}

/* The version from before is still there, and that is no call of the communicator's alone. */
static void expect_no_version(const revoked *r)
{
    const int64_t later = 2;
    tutti_request *request;
    tutti_kept piece;
    int count;
    REVOKED(tutti_keep(r->comm, "before", &later, sizeof later));
    OK(tutti_ikeep(r->comm, "new", &later, sizeof later, &request));
    REVOKED(wait_for(&request));
    OK(tutti_recall(r->comm, "before", &piece, 1, &count));
    EXPECT(count == 1 && piece.bytes == sizeof later && *(const int64_t *)piece.data == 1);
    OK(tutti_forget("before"));
}

/* Nothing is under way, and on a communicator of one rank nothing needs a message: all the same. */
static void refuse_all(tutti_comm *comm)
{
    const int64_t first = 1;
    revoked r = {.comm = comm};
    OK(tutti_window_create(comm, buffer, 64, &r.window));
    OK(tutti_barrier_init(comm, &r.started));
    OK(tutti_keep(comm, "before", &first, sizeof first));
    OK(tutti_barrier(world));
    OK(tutti_comm_revoke(comm));
    expect_no_calls(&r);
    expect_no_window(&r);
    expect_no_version(&r);
    REVOKED(tutti_window_free(&r.window));
    EXPECT(r.window == NULL);
    OK(tutti_request_free(&r.started));
    OK(tutti_comm_acknowledge(comm));
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
}

static void refuse_on_all_sizes(void)
{
    tutti_comm *comm;
    OK(tutti_comm_dup(world, &comm));
    refuse_all(comm);
    OK(tutti_comm_split(world, rank, 0, &comm));
    refuse_all(comm);
}

/* The data of a long message has been asked for when its receiver revokes. It holds up nothing that its
 * sender sends later, and what is received then stays as it is. */
static void revoke_what_is_asked_for(size_t bytes)
{
    tutti_comm *comm;
    tutti_request *request;
    const int sender = size - 1;
    OK(tutti_comm_dup(world, &comm));
    memset(buffer, rank == 0 ? 0 : 3, sizeof buffer);
    if (rank == 0) {
        OK(tutti_probe(comm, sender, 0, NULL));
        OK(tutti_irecv(comm, buffer, bytes, sender, 0, &request));
        OK(tutti_comm_revoke(comm));
        const int code = tutti_wait(&request, NULL);
        EXPECT(code == TUTTI_ERR_REVOKED || (code == 0 && buffer[bytes - 1] == 3));
        memset(buffer, 5, sizeof buffer);
    } else if (rank == sender) {
        OK(tutti_isend(comm, buffer, bytes, 0, 0, &request));
        const int code = tutti_wait(&request, NULL);
        EXPECT(code == TUTTI_ERR_REVOKED || code == 0);
        OK(tutti_send(world, buffer, 8, 0, 0));
    }
    if (rank == 0) OK(tutti_recv(world, buffer, 8, sender, 0, NULL));
    OK(tutti_barrier(world));
    for (size_t i = 0; rank == 0 && i < sizeof buffer; i++)
        EXPECT(buffer[i] == (i < 8 ? 3 : 5));
    OK(tutti_comm_free(&comm));
}

static tutti_message *take(tutti_comm *comm, int source, int tag)
{
    tutti_message *message;
    OK(tutti_mprobe(comm, source, tag, &message, NULL));
    return message;
}

/* Messages of a neighbour's and of the rank's own that matched probes have taken: those who sent them wait no
 * more, and nobody receives them. */
static void revoke_what_is_taken(void)
{
    tutti_comm *comm;
    tutti_request *sent[3], *received = NULL;
    tutti_status status;
    OK(tutti_comm_dup(world, &comm));
    OK(tutti_isend(comm, buffer, LONG, rank, 1, &sent[0]));
    OK(tutti_issend(comm, buffer, 8, rank, 2, &sent[1]));
    OK(tutti_isend(comm, buffer, LONG, (rank + 1) % size, 3, &sent[2]));
    tutti_message *taken[] = {take(comm, rank, 1), take(comm, rank, 2),
                              take(comm, (rank + size - 1) % size, 3)};
    OK(tutti_barrier(world));
    OK(tutti_comm_revoke(comm));
    for (int i = 0; i < 3; i++)
        REVOKED(wait_for(&sent[i]));
    REVOKED(tutti_mrecv(&taken[0], buffer, LONG, &status));
    EXPECT(taken[0] == NULL && status.source == rank && status.tag == 1 && status.bytes == 0);
    REVOKED(tutti_imrecv(&taken[1], buffer, LONG, &received));
    REVOKED(tutti_mrecv(&taken[2], buffer, LONG, NULL));
    EXPECT(taken[1] == NULL && taken[2] == NULL && received == NULL);
    OK(tutti_comm_free(&comm));
    OK(tutti_barrier(world));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    EXPECT(tutti_comm_revoke(NULL) == TUTTI_ERR_ARG);
    for (int way = 0; way < WAYS; way++)
        revoke_beside(way);
    for (size_t bytes = LONG >> 3; bytes <= LONG; bytes *= 2)
        revoke_what_is_asked_for(bytes);
    revoke_what_is_taken();
    refuse_on_all_sizes();
    return job_close();
}
