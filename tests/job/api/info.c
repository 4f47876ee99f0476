/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of options and algorithms within a job are the job's own, and asking changes nothing: the
 * ranks go on by the same rules, whoever of them has asked. */
#include <stdbool.h>

#include <tutti/info.h>

#include "tests/job/job.h"

#define CALLS 20
#define MOST 20000

typedef struct {
    const char *subject, *what, *value; /* a line that begins so, has this, and these words */
    bool found;
    int lines;
} wanted;

static void look(const char *subject, const char *what, const char *value, void *context)
{
    wanted *w = context;
    w->lines++;
    if (strncmp(subject, w->subject, strlen(w->subject)) == 0 && strcmp(what, w->what) == 0 &&
        strstr(value, w->value) != NULL)
        w->found = true;
}

static bool tells(int topic, const char *subject, const char *what, const char *value)
{
    wanted w = {subject, what, value, false, 0};
    OK(tutti_info(topic, 8, look, &w));
    EXPECT(w.lines > 0);
    return w.found;
}

/* Outside of a job: what the environment says, and no more. */
static void ask_outside(void)
{
    EXPECT(!tells(TUTTI_INFO_OPTIONS, "TUTTI_VERIFY", "value", "(program)"));
    EXPECT(tells(TUTTI_INFO_VERSIONS, "tutti", "version", tutti_version()));
    EXPECT(!tells(TUTTI_INFO_ALGORITHMS, "allreduce", "beyond", "TUTTI_ALLREDUCE"));
}

/* A provider that cannot reach other nodes is none between nodes. */
static void ask_every_topic(void)
{
    for (int topic = TUTTI_INFO_VERSIONS; topic <= TUTTI_INFO_MACHINE; topic++) {
        wanted any = {"", "", "", false, 0};
        const int code = tutti_info(topic, size, look, &any);
        EXPECT(code == 0 || (topic == TUTTI_INFO_INTERFACE &&
                             strstr(tutti_error_detail(), "cannot reach other nodes") != NULL));
        EXPECT(code < 0 || any.lines > 0);
    }
}

static void ask_inside(void)
{
    EXPECT(tells(TUTTI_INFO_OPTIONS, "TUTTI_VERIFY", "value", "(program)"));
    EXPECT(tells(TUTTI_INFO_ALGORITHMS, "allreduce", "beyond", "TUTTI_ALLREDUCE"));
}

/* One rank asks between calls that all must make by one rule, and compare. */
static void call_beside(void)
{
    static int64_t mine[MOST], sum[MOST];
    for (int call = 0; call < CALLS; call++) {
        const size_t count = (size_t)(call + 1) * (MOST / CALLS);
        if (rank == call % size) ask_inside();
        if (call == 0 && rank == size - 1) ask_every_topic();
        for (size_t i = 0; i < count; i++)
            mine[i] = (int64_t)i + rank;
        OK(tutti_allreduce(world, mine, sum, count, TUTTI_INT64, TUTTI_SUM));
        for (size_t i = 0; i < count; i++)
            EXPECT(sum[i] == (int64_t)i * size + (int64_t)size * (size - 1) / 2);
    }
}

int main(void)
{
    const char *const set[] = {"TUTTI_VERIFY=calls", "TUTTI_ALLREDUCE=0-64k:ring;64k-:ring", NULL};
    const tutti_options options = {.set = set};
    ask_outside();
    job_open_with(&options);
    call_beside();
    OK(tutti_finalize());
    ask_outside();
    return 0;
}
