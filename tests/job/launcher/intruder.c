/* SPDX-License-Identifier: BSD-3-Clause */
/* Another user's process that tries to get into a job with what the environment says, which is what anybody
 * could have seen or guessed. It claims to be the user whose id is its first argument.
 *   client   as a rank; it aborts the job if it gets in
 *   tool     as a tool, with the address in its third argument; it asks for the jobs if it gets in
 * Exit status 0 if it got in, 1 if it was refused, that of SIGALRM if it had no answer within four seconds.
 */
#include <pmix.h>
#include <pmix_tool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uid_t claimed;

#define SEEN __attribute__((visibility("default")))

/* In place of the C library's, for PMIx's client: it sends what they say, and the server believes it. */
SEEN uid_t geteuid(void)
{
    return claimed;
}

SEEN gid_t getegid(void)
{
    return (gid_t)claimed;
}

static pmix_status_t come_as_rank(void)
{
    pmix_proc_t self;
    const pmix_status_t status = PMIx_Init(&self, NULL, 0);
    if (status == PMIX_SUCCESS) PMIx_Abort(99, "by an intruder", NULL, 0);
    return status;
}

static pmix_status_t come_as_tool(const char *address)
{
    pmix_proc_t self;
    pmix_info_t info[3], *found = NULL;
    pmix_query_t query = {0};
    const pmix_rank_t rank = 0;
    size_t count = 0;
    PMIX_INFO_LOAD(&info[0], PMIX_SERVER_URI, address, PMIX_STRING);
    PMIX_INFO_LOAD(&info[1], PMIX_TOOL_NSPACE, "intruder", PMIX_STRING);
    PMIX_INFO_LOAD(&info[2], PMIX_TOOL_RANK, &rank, PMIX_PROC_RANK);
    pmix_status_t status = PMIx_tool_init(&self, info, 3);
    if (status != PMIX_SUCCESS) return status;
    char key[] = PMIX_QUERY_NAMESPACES, *keys[] = {key, NULL};
    query.keys = keys;
    status = PMIx_Query_info(&query, 1, &found, &count);
    printf("the question for jobs: %s\n", PMIx_Error_string(status));
    return PMIX_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    alarm(4);
    claimed = (uid_t)atol(argv[1]);
    const pmix_status_t status =
        strcmp(argv[2], "tool") == 0 && argc > 3 ? come_as_tool(argv[3]) : come_as_rank();
    printf("%s: %s\n", argv[2], PMIx_Error_string(status));
    return status != PMIX_SUCCESS;
}
