/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/fabric/fabric_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

#define RANKS_MOST 16

/* net of libfabric 1.17 leaks the fi_info of each connection it accepts (xnet_process_connreq). */
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:libfabric.so";
}

static char directory[64];
static tti_job job;
static int nodes = 1, meetings;

static void nap(void)
{
    const struct timespec t = {0, 1000000};
    nanosleep(&t, NULL);
}

void pretend_nodes(int count)
{
    nodes = count;
}

static void path_of(char path[256], int rank, const char *key)
{
    snprintf(path, 256, "%s/%d.%s", directory, rank, key);
}

int tti_pmi_put(const char *key, const void *value, size_t bytes)
{
    char path[256], fresh[256];
    path_of(path, job.rank, key);
    snprintf(fresh, sizeof fresh, "%s/new.%d", directory, job.rank);
    FILE *file = fopen(fresh, "w");
    EXPECT(file != NULL && fwrite(value, 1, bytes, file) == bytes && fclose(file) == 0);
    EXPECT(rename(fresh, path) == 0);
    return 0;
}

int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns)
{
    char path[256];
    path_of(path, rank, key);
    const int64_t end = tti_clock_ns() + timeout_ns;
    FILE *file;
    while ((file = fopen(path, "r")) == NULL) {
        if (tti_clock_ns() > end) return tti_fail(TUTTI_ERR_TIMEOUT, "rank %d published no %s", rank, key);
        nap();
    }
    *bytes = fread(value, 1, *bytes, file);
    fclose(file);
    return 0;
}

struct tti_pmi_question {
    int rank;
    char key[64];
    int64_t end;
};

static bool questions_end;
static int questions_ended;

void let_questions_end(void)
{
    questions_end = true;
}

int count_ended_questions(void)
{
    return questions_ended;
}

int tti_pmi_ask(int rank, const char *key, int64_t timeout_ns, tti_pmi_question **question)
{
    tti_pmi_question *made = calloc(1, sizeof *made);
    EXPECT(made != NULL && timeout_ns > 0);
    made->rank = rank;
    made->end = timeout_ns < INT64_MAX - tti_clock_ns() ? tti_clock_ns() + timeout_ns : INT64_MAX;
    snprintf(made->key, sizeof made->key, "%s", key);
    *question = made;
    return 0;
}

int tti_pmi_answer(tti_pmi_question *question, void *value, size_t *bytes)
{
    char path[256];
    path_of(path, question->rank, question->key);
    const bool is_there = access(path, F_OK) == 0, is_over = questions_end && tti_clock_ns() > question->end;
    if (!is_there && !is_over) return TTI_PMI_NOT_YET;
    questions_ended += !is_there;
    const int code =
        tti_pmi_get(question->rank, question->key, value, bytes, is_there ? TTI_NS_PER_SECOND : 0);
    free(question);
    return code;
}

void tti_pmi_forget(tti_pmi_question *question)
{
    free(question);
}

int tti_pmi_node_of(int rank)
{
    return rank % nodes;
}

/* Nobody tells of deaths here. */
int tti_pmi_dead_rank(void)
{
    return -1;
}

void tti_pmi_abort(int code, const char *why)
{
    fprintf(stderr, "abort with status %d: %s\n", code, why);
}

bool met(int *ticket)
{
    char key[32];
    if (*ticket < 0) {
        *ticket = meetings++;
        snprintf(key, sizeof key, "meet%d", *ticket);
        tti_pmi_put(key, "", 0);
    }
    snprintf(key, sizeof key, "meet%d", *ticket);
    for (int rank = 0; rank < job.size; rank++) {
        char path[256];
        path_of(path, rank, key);
        if (access(path, F_OK) != 0) return false;
    }
    return true;
}

void meet(void)
{
    int ticket = -1;
    while (!met(&ticket))
        nap();
}

int tti_pmi_fence(bool collect)
{
    (void)collect;
    meet();
    return 0;
}

static void be_rank(int rank, int ranks, const char *const *set, void (*body)(const tti_job *))
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct rlimit processor = {PATIENCE_PROCESSOR_S, PATIENCE_PROCESSOR_S};
    EXPECT(setrlimit(RLIMIT_CPU, &processor) == 0);
    static int all[RANKS_MOST];
    for (int i = 0; i < ranks; i++)
        all[i] = i;
    job = (tti_job){.rank = rank,
                    .size = ranks,
                    .node = rank % nodes,
                    .nodes = nodes,
                    .local_index = rank / nodes,
                    .local_size = nodes == 1 ? ranks : 1,
                    .local_ranks = all,
                    .launcher = "test"};
    tti_log_set_rank(rank);
    EXPECT(tti_options_load(set) == 0);
    tti_log_set_level((enum tti_log_level)tti_option_value(TTI_OPTION_LOG));
    body(&job);
    tti_options_unload();
    exit(0);
}

static void collect(const pid_t *children, int ranks, int victim)
{
    const int64_t end = tti_clock_ns() + PATIENCE_PROGRAM_S * TTI_NS_PER_SECOND;
    int left = ranks, failures = 0;
    bool over[RANKS_MOST] = {false};
    while (left > 0) {
        for (int i = 0; i < ranks; i++) {
            int status;
            if (over[i] || waitpid(children[i], &status, WNOHANG) != children[i]) continue;
            over[i] = true;
            left--;
            if (i != victim && status != 0) {
                fprintf(stderr, "rank %d ended with wait status 0x%x\n", i, (unsigned)status);
                failures++;
            }
        }
        if (left > 0 && (tti_clock_ns() > end || failures > 0)) {
            for (int i = 0; i < ranks; i++) {
                if (!over[i]) kill(children[i], SIGKILL);
            }
            if (failures == 0) fprintf(stderr, "%d ranks still run after %d s\n", left, PATIENCE_PROGRAM_S);
            failures++;
        }
        nap();
    }
    EXPECT(failures == 0);
}

void run_ranks(int ranks, int victim, const char *const *set, void (*body)(const tti_job *))
{
    pid_t children[RANKS_MOST];
    EXPECT(ranks <= RANKS_MOST);
    snprintf(directory, sizeof directory, "/tmp/tutti-fabric-XXXXXX");
    EXPECT(mkdtemp(directory) != NULL);
    for (int i = 0; i < ranks; i++) {
        children[i] = fork();
        EXPECT(children[i] >= 0);
        if (children[i] == 0) be_rank(i, ranks, set, body);
    }
    collect(children, ranks, victim);
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    EXPECT(system(command) == 0);
}
