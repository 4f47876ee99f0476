/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/job_info.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list under construction and the first failure, so that a row need not be checked on its own. */
typedef struct {
    void *list;
    pmix_status_t status;
} info_list;

static void add(info_list *to, const char *key, const void *value, pmix_data_type_t type)
{
    const pmix_status_t status = PMIx_Info_list_add(to->list, key, value, type);
    if (to->status == PMIX_SUCCESS) to->status = status;
}

static void add_uint32(info_list *to, const char *key, uint32_t value)
{
    add(to, key, &value, PMIX_UINT32);
}

static void add_rank(info_list *to, const char *key, pmix_rank_t value)
{
    add(to, key, &value, PMIX_PROC_RANK);
}

static void add_uint16(info_list *to, const char *key, uint16_t value)
{
    add(to, key, &value, PMIX_UINT16);
}

/* "0,1,2,…"; the caller frees it. NULL without memory. */
static char *list_ranks(int ranks)
{
    char *text = malloc((size_t)ranks * 7 + 1);
    if (text == NULL) return NULL;
    size_t used = 0;
    for (int i = 0; i < ranks; i++)
        used += (size_t)sprintf(text + used, "%s%d", i > 0 ? "," : "", i);
    return text;
}

static void add_maps(info_list *to, const char *host, const char *ranks)
{
    char *map = NULL;
    add(to, PMIX_LOCAL_PEERS, ranks, PMIX_STRING);
    if (PMIx_generate_regex(host, &map) == PMIX_SUCCESS) add(to, PMIX_NODE_MAP, map, PMIX_REGEX);
    free(map);
    map = NULL;
    if (PMIx_generate_ppn(ranks, &map) == PMIX_SUCCESS) add(to, PMIX_PROC_MAP, map, PMIX_REGEX);
    free(map);
}

static void add_job(info_list *to, const tti_server_job *job)
{
    const uint32_t ranks = (uint32_t)job->ranks;
    add(to, PMIX_JOBID, job->name, PMIX_STRING);
    add(to, PMIX_RM_NAME, "tuttirun", PMIX_STRING);
    add_uint32(to, PMIX_JOB_SIZE, ranks + 1); /* with the observer; the ranks hear the true size */
    add_uint32(to, PMIX_UNIV_SIZE, ranks);
    add_uint32(to, PMIX_MAX_PROCS, ranks); /* with those in reserve */
    add_uint32(to, PMIX_LOCAL_SIZE, ranks);
    add_uint32(to, PMIX_NODE_SIZE, ranks);
    add_uint32(to, PMIX_NUM_NODES, 1);
    add_uint32(to, PMIX_NODEID, 0);
    add_uint32(to, PMIX_JOB_NUM_APPS, (uint32_t)job->programs);
    add_rank(to, PMIX_LOCALLDR, 0);
    add(to, PMIX_TMPDIR, job->directory, PMIX_STRING);
    add(to, PMIX_NSDIR, job->directory, PMIX_STRING);
}

/* Closes the list of what is told of one process and adds it as an array. */
static void add_process(info_list *to, const info_list *own)
{
    pmix_data_array_t array = {0};
    pmix_status_t status = own->status;
    if (status == PMIX_SUCCESS) status = PMIx_Info_list_convert(own->list, &array);
    PMIx_Info_list_release(own->list);
    if (status == PMIX_SUCCESS) add(to, PMIX_PROC_INFO_ARRAY, &array, PMIX_DATA_ARRAY);
    PMIX_DATA_ARRAY_DESTRUCT(&array);
    if (to->status == PMIX_SUCCESS) to->status = status;
}

/* PMIx takes a process of which it knows nothing for an error when it hands out the job. */
static void add_observer(info_list *to, int rank, const char *host)
{
    info_list own = {PMIx_Info_list_start(), PMIX_SUCCESS};
    add_rank(&own, PMIX_RANK, (pmix_rank_t)rank); /* must come first */
    add(&own, PMIX_HOSTNAME, host, PMIX_STRING);
    add_process(to, &own);
}

/* One array per rank, of what cannot be told for all. */
static void add_rank_info(info_list *to, const tti_server_job *job, int rank, const char *host, int app_rank)
{
    info_list own = {PMIx_Info_list_start(), PMIX_SUCCESS};
    const int program = job->program_of[rank];
    add_rank(&own, PMIX_RANK, (pmix_rank_t)rank); /* must come first */
    /* Which one a process in reserve will run is known when it is started; what is told here stays. */
    if (rank < job->world || job->programs == 1) {
        add_uint32(&own, PMIX_APPNUM, (uint32_t)program);
        add_rank(&own, PMIX_APP_RANK, (pmix_rank_t)app_rank);
    }
    add_rank(&own, PMIX_GLOBAL_RANK, (pmix_rank_t)rank);
    add_uint16(&own, PMIX_LOCAL_RANK, (uint16_t)rank);
    add_uint16(&own, PMIX_NODE_RANK, (uint16_t)rank);
    add_uint32(&own, PMIX_NODEID, 0);
    add(&own, PMIX_HOSTNAME, host, PMIX_STRING);
    add_process(to, &own);
}

pmix_status_t tti_job_info_make(const tti_server_job *job, pmix_info_t **info, size_t *count)
{
    char host[256] = "localhost";
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0'; /* as PMIx names this node */
    char *ranks = list_ranks(job->ranks);
    int *seen = calloc((size_t)job->programs, sizeof *seen); /* ranks of each program so far */
    if (ranks == NULL || seen == NULL) {
        free(ranks);
        free(seen);
        return PMIX_ERR_NOMEM;
    }
    info_list all = {PMIx_Info_list_start(), PMIX_SUCCESS};
    add_job(&all, job);
    add_maps(&all, host, ranks);
    free(ranks);
    for (int i = 0; i < job->ranks; i++)
        add_rank_info(&all, job, i, host, seen[job->program_of[i]]++);
    add_observer(&all, job->ranks, host);
    free(seen);
    pmix_data_array_t array = {0};
    if (all.status == PMIX_SUCCESS) all.status = PMIx_Info_list_convert(all.list, &array);
    PMIx_Info_list_release(all.list);
    *info = array.array;
    *count = array.size;
    return all.status;
}

pmix_status_t tti_job_info_hide_observer(const tti_server_job *job)
{
    pmix_proc_t all;
    pmix_value_t size = {.type = PMIX_UINT32, .data.uint32 = (uint32_t)job->world};
    PMIX_LOAD_PROCID(&all, job->name, PMIX_RANK_WILDCARD);
    return PMIx_Store_internal(&all, PMIX_JOB_SIZE, &size);
}
