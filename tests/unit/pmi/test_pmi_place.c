/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's place in its job, from answers that launchers have given, and from answers that none should give.
 */
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "tests/unit/expect.h"

/* What a launcher answers on one node of a job. Of a key that is missing it says nothing. */
typedef struct {
    const char *launcher;
    const char *size;      /* PMIX_JOB_SIZE, a number; "none" or "text" for an answer of another kind */
    const char *peers;     /* PMIX_LOCAL_PEERS, or NULL */
    const char *node_list; /* PMIX_NODE_LIST, or NULL */
    const char *hosts;     /* PMIX_HOSTNAME of ranks 0, 1, … with blanks between; "?" for no answer */
    int rank;              /* who asks */
} record;

static const record *asked;

static pmix_value_t *new_value(const void *data, pmix_data_type_t type)
{
    pmix_value_t *value;
    PMIX_VALUE_CREATE(value, 1);
    EXPECT(value != NULL);
    PMIX_VALUE_LOAD(value, data, type);
    return value;
}

static pmix_value_t *text(const char *answer)
{
    return answer != NULL ? new_value(answer, PMIX_STRING) : NULL;
}

static pmix_value_t *size_of_job(void)
{
    const uint32_t number = (uint32_t)strtoul(asked->size, NULL, 10);
    if (strcmp(asked->size, "none") == 0) return NULL;
    return strcmp(asked->size, "text") == 0 ? text("four") : new_value(&number, PMIX_UINT32);
}

static pmix_value_t *host_of(pmix_rank_t rank)
{
    char names[256], *rest = names, *name = NULL;
    EXPECT(strlen(asked->hosts) < sizeof names);
    strcpy(names, asked->hosts);
    for (pmix_rank_t i = 0; i <= rank; i++)
        name = strsep(&rest, " ");
    return name == NULL || strcmp(name, "?") == 0 ? NULL : text(name);
}

/* A key that the record does not know has no answer: nothing may depend on it. */
static pmix_value_t *answer(pmix_rank_t rank, const char *key)
{
    if (rank != PMIX_RANK_WILDCARD) return strcmp(key, PMIX_HOSTNAME) == 0 ? host_of(rank) : NULL;
    if (strcmp(key, PMIX_JOB_SIZE) == 0) return size_of_job();
    if (strcmp(key, PMIX_LOCAL_PEERS) == 0) return text(asked->peers);
    return strcmp(key, PMIX_NODE_LIST) == 0 ? text(asked->node_list) : NULL;
}

/* As tti_pmi_open() does. */
static int read_record(const record *from)
{
    asked = from;
    tti_pmi_self = (tti_pmi_client){.open = true, .fact = answer, .job = {.nodes = 1}};
    PMIX_LOAD_PROCID(&tti_pmi_self.me, "recorded", (pmix_rank_t)from->rank);
    const int code = tti_pmi_place_read();
    return code == 0 ? tti_pmi_nodes_open() : code;
}

static void forget(void)
{
    tti_pmi_nodes_close();
    free(tti_pmi_self.local_ranks);
    tti_pmi_self = (tti_pmi_client){0};
}

static const struct {
    record from;
    const char *locals; /* the ranks of this node, ascending */
    const char *nodes;  /* node of rank 0, 1, … */
} good[] = {
    {{"tuttirun", "3", "0,1,2", "vm", "vm vm vm", 2}, "0 1 2", "0 0 0"},
    {{"prterun --map-by slot, 3 hosts", "6", "2,3", "host1,host2,host3",
      "host1 host1 host2 host2 host3 host3", 3},
     "2 3",
     "0 0 1 1 2 2"},
    {{"prterun --map-by node, 3 hosts", "7", "0,3,6", "host1,host2,host3",
      "host1 host2 host3 host1 host2 host3 host1", 6},
     "0 3 6",
     "0 1 2 0 1 2 0"},
    {{"prterun --map-by core", "4", "0,2,1,3", "vm", "vm vm vm vm", 1}, "0 1 2 3", "0 0 0 0"},
    {{"prterun --map-by core, oversubscribed", "5", "0,3,1,4,2", "vm", "vm vm vm vm vm", 4},
     "0 1 2 3 4",
     "0 0 0 0 0"},
    {{"prterun --map-by core, 2 hosts", "6", "4,0,2", "host2,host1", "host1 host2 host1 host2 host1 host2",
      0},
     "0 2 4",
     "1 0 1 0 1 0"},
    {{"ranges", "7", "0-3,5", "b,a", "a a a a b a b", 5}, "0 1 2 3 5", "1 1 1 1 0 1 0"},
    {{"ranges, not ascending", "7", "5,0-3", "b,a", "a a a a b a b", 0}, "0 1 2 3 5", "1 1 1 1 0 1 0"},
    {{"a job of one", "1", "0", NULL, "vm", 0}, "0", "0"},
    {{"one node needs no names", "2", "1,0", NULL, "? ?", 0}, "0 1", "0 0"},
    {{"a list of nodes with holes", "2", "1", ",a,,b,", "b a", 1}, "1", "1 0"},
    {{"nodes of a larger allocation", "2", "1", "a,b,c,d", "d c", 1}, "1", "3 2"},
};

static int next_number(const char **at)
{
    char *end;
    const int number = (int)strtol(*at, &end, 10);
    EXPECT(end != *at);
    *at = end;
    return number;
}

static void check_good(int i)
{
    const record *from = &good[i].from;
    const char *locals = good[i].locals, *nodes = good[i].nodes;
    const tti_job *job = &tti_pmi_self.job;
    const int code = read_record(from);
    if (code != 0) fprintf(stderr, "%s, rank %d:\n", from->launcher, from->rank);
    EXPECT(code == 0 && job->rank == from->rank && job->size == atoi(from->size));
    for (int k = 0; k < job->local_size; k++)
        EXPECT(job->local_ranks[k] == next_number(&locals));
    EXPECT(*locals == '\0' && job->local_ranks[job->local_index] == job->rank);
    for (int rank = 0; rank < job->size; rank++) {
        const int node = next_number(&nodes);
        EXPECT(tti_pmi_node_of(rank) == (job->nodes > 1 ? node : 0));
    }
    EXPECT(*nodes == '\0' && tti_pmi_node_of(job->rank) == job->node && tti_pmi_node_of(job->size) < 0);
    forget();
}

/* The reason must name what is wrong. */
static const struct {
    record from;
    const char *reason;
} bad[] = {
    {{"no size", "none", "0,1", NULL, "", 0}, PMIX_JOB_SIZE},
    {{"a size in words", "text", "0,1", NULL, "", 0}, PMIX_JOB_SIZE},
    {{"no ranks", "0", "0", NULL, "", 0}, "rank 0 of 0"},
    {{"too many ranks", "4294967295", "0", NULL, "", 0}, "4294967295"},
    {{"a rank that the job has not", "2", "0,1", NULL, "", 2}, "rank 2 of 2"},
    {{"no peers", "2", NULL, NULL, "", 0}, PMIX_LOCAL_PEERS},
    {{"an empty list", "2", "", NULL, "", 0}, "\"\""},
    {{"a list without the asking rank", "3", "0,1", NULL, "", 2}, "\"0,1\""},
    {{"a rank twice", "3", "0,1,0", NULL, "", 0}, "\"0,1,0\""},
    {{"a rank twice, in a range", "4", "0-2,1", NULL, "", 0}, "\"0-2,1\""},
    {{"more ranks than the job has", "2", "0,1,2", NULL, "", 0}, "\"0,1,2\""},
    {{"a range beyond the job", "4", "0-4000000000", NULL, "", 0}, "\"0-4000000000\""},
    {{"a number beyond all", "4", "0,99999999999999999999999", NULL, "", 0}, "999999"},
    {{"a range upside down", "4", "3-0", NULL, "", 0}, "\"3-0\""},
    {{"half a range", "4", "0-", NULL, "", 0}, "\"0-\""},
    {{"a comma too many", "4", "0,1,", NULL, "", 0}, "\"0,1,\""},
    {{"two commas", "4", "0,,1", NULL, "", 0}, "\"0,,1\""},
    {{"something else behind", "4", "0,1;2", NULL, "", 0}, "\"0,1;2\""},
    {{"a negative rank", "4", "0,-1", NULL, "", 0}, "\"0,-1\""},
    {{"words", "4", "all", NULL, "", 0}, "\"all\""},
    {{"no names of nodes", "4", "0,1", NULL, "a a b b", 0}, PMIX_NODE_LIST},
    {{"a node without a name", "4", "0,1", "a,b", "? a b b", 0}, PMIX_HOSTNAME},
    {{"a node that is not in the list", "4", "0,1", "a,b", "c c b b", 0}, "\"c\""},
};

static void check_bad(int i)
{
    const int code = read_record(&bad[i].from);
    const bool says = strstr(tutti_error_detail(), bad[i].reason) != NULL;
    if (code != TUTTI_ERR_LAUNCH || !says) fprintf(stderr, "%s:\n", bad[i].from.launcher);
    EXPECT(code == TUTTI_ERR_LAUNCH && says);
    forget();
}

/* Where another rank runs is asked only when it is needed; no answer is an error then, and stays one. */
static void check_late(void)
{
    static const record late = {"no name for one rank", "3", "0", "a,b", "a b ?", 0};
    EXPECT(read_record(&late) == 0);
    EXPECT(tti_pmi_node_of(1) == 1);
    for (int i = 0; i < 2; i++)
        EXPECT(tti_pmi_node_of(2) == TUTTI_ERR_LAUNCH && strstr(tutti_error_detail(), "rank 2") != NULL);
    forget();
}

/* PRRTE alone wants its ranks to leave together. */
static void check_leaving(const char *job, bool together)
{
    snprintf(tti_pmi_self.me.nspace, sizeof tti_pmi_self.me.nspace, "%s", job);
    EXPECT(tti_pmi_launcher_leaves_together() == together);
}

int main(void)
{
    check_leaving("prterun-vm-28575@1", true);
    check_leaving("slurm.pmix.7.0", false);
    check_leaving("1234567", false);
    check_leaving("tuttirun-0123456789abcdef", false);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        check_good((int)i);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_bad((int)i);
    check_late();
    return 0;
}
