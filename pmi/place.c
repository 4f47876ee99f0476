/* SPDX-License-Identifier: BSD-3-Clause */
/* This rank's place in the job: how many ranks there are, and which of them are on its node. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "runtime/base/status.h"

/* With those in reserve, which tuttirun alone has. */
static uint32_t count_processes(uint32_t size)
{
    uint32_t most;
    const bool own = strcmp(tti_pmi_launcher_name(), "tuttirun") == 0;
    return own && tti_pmi_fact_number(PMIX_RANK_WILDCARD, PMIX_MAX_PROCS, &most) && most > size ? most : size;
}

static int read_size(tti_job *job)
{
    uint32_t size;
    if (!tti_pmi_fact_number(PMIX_RANK_WILDCARD, PMIX_JOB_SIZE, &size))
        return tti_fail(
            TUTTI_ERR_LAUNCH,
            "the launcher does not say how many ranks the job has (%s); if this is another program "
            "that a rank runs: unset PMIX_NAMESPACE and PMIX_RANK for it",
            PMIX_JOB_SIZE);
    const uint32_t processes = count_processes(size);
    if (processes > INT_MAX || tti_pmi_self.me.rank >= processes)
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher says rank %u of %u ranks", tti_pmi_self.me.rank,
                        size);
    job->rank = (int)tti_pmi_self.me.rank;
    job->size = (int)processes;
    job->reserve = (int)(processes - size);
    return 0;
}

static bool read_number(const char **at, unsigned long *number)
{
    if (**at < '0' || **at > '9') return false;
    char *end;
    *number = strtoul(*at, &end, 10);
    *at = end;
    return true;
}

/* The next part of "0,1,4-6" as a range, with the comma behind it; false where the text is something else. */
static bool next_range(const char **at, unsigned long *first, unsigned long *last)
{
    if (!read_number(at, first)) return false;
    *last = *first;
    if (**at == '-') {
        (*at)++;
        if (!read_number(at, last)) return false;
    }
    if (**at == ',' && (*at)[1] != '\0') {
        (*at)++;
        return true;
    }
    return **at == '\0';
}

static int append(int rank, int *count)
{
    if (*count % 64 == 0) {
        int *grown = realloc(tti_pmi_self.local_ranks, sizeof(int) * (size_t)(*count + 64));
        if (grown == NULL) return TUTTI_ERR_NO_MEMORY;
        tti_pmi_self.local_ranks = grown;
    }
    tti_pmi_self.local_ranks[(*count)++] = rank;
    return 0;
}

/* Takes the list apart as it comes: launchers write it in the order of their mapping, "0,2,1,3". */
static int take_list(const char *text, int size, int *count)
{
    unsigned long first, last;
    int code = 0;
    for (const char *at = text; code == 0 && (at == text || *at != '\0');) {
        if (!next_range(&at, &first, &last) || first > last || last >= (unsigned long)size)
            return TUTTI_ERR_LAUNCH;
        for (unsigned long rank = first; rank <= last && code == 0; rank++)
            code = *count < size ? append((int)rank, count) : TUTTI_ERR_LAUNCH;
    }
    return code;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* All ranks of the node must agree on each one's place, whatever the order that they were told. */
static int order(tti_job *job, int count)
{
    int *ranks = tti_pmi_self.local_ranks;
    qsort(ranks, (size_t)count, sizeof *ranks, ascending);
    job->local_index = -1;
    for (int i = 0; i < count; i++) {
        if (i > 0 && ranks[i] == ranks[i - 1]) return TUTTI_ERR_LAUNCH;
        if (ranks[i] == job->rank) job->local_index = i;
    }
    job->local_size = count;
    job->local_ranks = ranks;
    return job->local_index >= 0 ? 0 : TUTTI_ERR_LAUNCH;
}

static int read_local(tti_job *job)
{
    char *text;
    int count = 0;
    if (!tti_pmi_fact_text(PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS, &text))
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not say which ranks are on this node (%s)",
                        PMIX_LOCAL_PEERS);
    int code = take_list(text, job->size, &count);
    if (code == 0) code = order(job, count);
    if (code == TUTTI_ERR_NO_MEMORY) tti_fail(code, "no memory for the list of ranks on this node");
    if (code == TUTTI_ERR_LAUNCH)
        tti_fail(code, "the launcher's list of ranks on this node is not one for rank %d of %d: \"%.200s\"",
                 job->rank, job->size, text);
    free(text);
    return code;
}

int tti_pmi_place_read(void)
{
    const int code = read_size(&tti_pmi_self.job);
    return code == 0 ? read_local(&tti_pmi_self.job) : code;
}
