/* SPDX-License-Identifier: BSD-3-Clause */
/* For 3 ranks and 2 spares on a node: the spares sleep, without libfabric; one is killed asleep, which nobody
 * misses; the other takes the place of a dead rank; then there is none left, and the ranks shrink. */
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "tests/job/lose.h"

#define PROCESSES 16
#define LOOKS 12000
#define PAUSE_US 10000

/* The launcher's children that are no ranks: in a job of such a few processes the numbers say which. */
static int find_spares(const int32_t *ranks, pid_t *spares)
{
    char path[64];
    long pid;
    int count = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)getppid(), (long)getppid());
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    while (fscanf(file, "%ld", &pid) == 1) {
        bool is_rank = false;
        for (int r = 0; r < size; r++)
            is_rank = is_rank || ranks[r] == (int32_t)pid;
        if (!is_rank && count < PROCESSES) spares[count++] = (pid_t)pid;
    }
    fclose(file);
    return count;
}

static long ticks_of(pid_t pid, char *state)
{
    char path[64], text[512] = "";
    long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    const char *end = strrchr(text, ')');
    EXPECT(end != NULL && sscanf(end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", state, &user,
                                 &system) == 3);
    return user + system;
}

static bool has_mapped(pid_t pid, const char *library)
{
    char path[64], line[512];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL);
    while (fgets(line, sizeof line, file) != NULL)
        found = found || strstr(line, library) != NULL;
    fclose(file);
    return found;
}

/* It may still be on its way into its sleep; once there it takes no processor. */
static void see_asleep(pid_t pid)
{
    char state = '?';
    long before = -1, now = ticks_of(pid, &state);
    for (int i = 0; i < LOOKS / 20 && (now != before || state != 'S' || !has_mapped(pid, "pmix")); i++) {
        usleep(PAUSE_US * 20);
        before = now;
        now = ticks_of(pid, &state);
    }
    EXPECT(now == before && state == 'S' && !has_mapped(pid, "libfabric"));
}

static void await_spares(const int32_t *ranks, pid_t *spares, int count)
{
    for (int i = 0; i < LOOKS && find_spares(ranks, spares) != count; i++)
        usleep(PAUSE_US);
    EXPECT(find_spares(ranks, spares) == count);
}

static void look_at_spares(void)
{
    int32_t mine = (int32_t)getpid(), ranks[PROCESSES];
    pid_t spares[PROCESSES];
    OK(tutti_allgather(world, &mine, ranks, sizeof mine));
    if (rank != 0) return;
    await_spares(ranks, spares, 2);
    see_asleep(spares[0]);
    see_asleep(spares[1]);
    OK(kill(spares[0], SIGKILL));
    await_spares(ranks, spares, 1);
    int failed = -1;
    OK(tutti_comm_failed(world, NULL, 0, &failed));
    EXPECT(failed == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *whole = world, *left = NULL;
    if (!tutti_is_newcomer()) {
        look_at_spares();
        OK(tutti_barrier(world));
        lose(world, 1);
        OK(tutti_comm_restore(world, &whole));
    }
    EXPECT(tutti_comm_size(whole) == 3 && tutti_comm_rank(whole) == rank &&
           (rank == 1) == tutti_is_newcomer());
    OK(tutti_barrier(whole));
    lose(whole, 2);
    EXPECT(tutti_comm_restore(whole, &left) == TUTTI_ERR_LIMIT);
    EXPECT(strstr(tutti_error_detail(), "--spares") != NULL && left == NULL);
    OK(tutti_comm_shrink(whole, &left));
    EXPECT(tutti_comm_size(left) == 2);
    OK(tutti_barrier(left));
    if (rank == 0) printf("both are left\n");
    return job_close();
}
