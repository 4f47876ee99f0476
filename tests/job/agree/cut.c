/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection between two ranks that both live breaks, with what is under way on it. All come out of
 * agreements then, those that the others hold for dead with an error that says so, and the rest with the same
 * result. */
#include <arpa/inet.h>
#include <dirent.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/job/job.h"

#define SOCKETS 64
#define TURNS 3
#define MOST_RANKS 64

typedef struct {
    int fd;
    struct sockaddr_in here, there;
} connection;

typedef struct {
    int count;
    connection all[SOCKETS];
} connections;

static bool is_connected(int fd, connection *c)
{
    socklen_t here = sizeof c->here, there = sizeof c->there;
    c->fd = fd;
    return getsockname(fd, (struct sockaddr *)&c->here, &here) == 0 && c->here.sin_family == AF_INET &&
           getpeername(fd, (struct sockaddr *)&c->there, &there) == 0;
}

static connections list_connections(void)
{
    connections made = {0};
    DIR *folder = opendir("/proc/self/fd");
    EXPECT(folder != NULL);
    for (const struct dirent *at; (at = readdir(folder)) != NULL && made.count < SOCKETS;)
        if (at->d_name[0] != '.' && is_connected(atoi(at->d_name), &made.all[made.count])) made.count++;
    closedir(folder);
    return made;
}

static bool is_same(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
    return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
}

/* As a firewall or an administrator ends one: what is unread is lost, the other end gets a reset. */
static void cut_all(const connections *mine, const connections *others)
{
    const struct sockaddr none = {.sa_family = AF_UNSPEC};
    for (int i = 0; i < mine->count; i++)
        for (int k = 0; k < others->count; k++)
            if (is_same(&mine->all[i].here, &others->all[k].there) &&
                is_same(&mine->all[i].there, &others->all[k].here))
                EXPECT(connect(mine->all[i].fd, &none, sizeof none) == 0);
}

/* Every rank has one to every other. */
static void connect_all(void)
{
    char one = 1, all;
    for (int other = 0; other < size; other++)
        if (other != rank) OK(tutti_sendrecv(world, &one, 1, other, 1, &all, 1, other, 1, NULL));
}

/* `cutter` is away while the others agree, and then cuts the way to `other`; where that is no connection,
 * nothing breaks. */
static int agree_beside_cut(int cutter, int other, uint64_t *flags)
{
    const connections mine = list_connections();
    connections others = {0};
    if (rank == other) OK(tutti_send(world, &mine, sizeof mine, cutter, 2));
    if (rank == cutter) OK(tutti_recv(world, &others, sizeof others, other, 2, NULL));
    OK(tutti_barrier(world));
    job_await_all(world, cutter); /* nothing of the barrier is under way */
    if (rank == cutter) {
        const struct timespec moment = {.tv_nsec = 100000000};
        nanosleep(&moment, NULL);
        cut_all(&mine, &others);
    }
    return tutti_comm_agree(world, flags);
}

static bool am_cast_out(int code)
{
    return code == TUTTI_ERR_PEER_FAILED && strstr(tutti_error_detail(), "hold this one") != NULL;
}

/* Whether it is over: all that are left have seen the same, or this rank is not left. One that learns only
 * after the decision that it is cast out is lost to the others like any that dies then: they shrink again. */
static bool compare(const uint64_t *seen)
{
    tutti_comm *survivors;
    uint64_t all[MOST_RANKS * TURNS], have_all;
    int code = tutti_comm_shrink(world, &survivors);
    EXPECT(code == 0 || am_cast_out(code));
    if (code != 0) return true;
    const int gathered = tutti_allgather(survivors, seen, all, TURNS * sizeof *seen);
    EXPECT(gathered == 0 || gathered == TUTTI_ERR_PEER_FAILED);
    have_all = gathered == 0;
    code = tutti_comm_agree(survivors, &have_all);
    EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    for (int r = 0; have_all && r < tutti_comm_size(survivors); r++)
        EXPECT(memcmp(all + r * TURNS, seen, TURNS * sizeof *seen) == 0);
    const bool over = have_all || am_cast_out(code);
    OK(tutti_comm_free(&survivors));
    return over;
}

int main(void)
{
    uint64_t seen[TURNS];
    bool over = false;
    setenv("TUTTI_CONNECT_TIMEOUT", "20s", 0); /* beside many others a rank may take five to be there */
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    EXPECT(size <= MOST_RANKS);
    connect_all();
    for (int turn = 0; turn < TURNS; turn++) {
        seen[turn] = ~(UINT64_C(1) << (rank + turn));
        const int code =
            turn == 0 ? agree_beside_cut(size % 2, 1 - size % 2, seen) : tutti_comm_agree(world, &seen[turn]);
        over = over || am_cast_out(code);
        EXPECT(code == 0 || code == TUTTI_ERR_PEER_FAILED);
    }
    while (!over)
        over = compare(seen);
    return job_close();
}
