/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank waits for the node's first one, and for what that decides, however late it comes, but not for a dead
 * one, nor without a launcher. One process stands for all ranks, with a stand-in for pmi: what a late rank
 * publishes comes in no time that ends. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmi/pmi.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/node/join.h"
#include "tests/unit/expect.h"

#define RECORDS 4

static struct {
    char key[64];
    unsigned char value[600];
    size_t bytes;
} records[RECORDS];
static int published;
static bool in_doubt;
static const char *late; /* the key of what comes late */
static int instead;      /* how the wait for that ends; 0: it comes */

int tti_pmi_put(const char *key, const void *value, size_t bytes)
{
    EXPECT(published < RECORDS && bytes <= sizeof records[0].value);
    snprintf(records[published].key, sizeof records[0].key, "%s", key);
    memcpy(records[published].value, value, bytes);
    records[published++].bytes = bytes;
    return 0;
}

int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns)
{
    int i = 0;
    if (strcmp(key, late) == 0 && timeout_ns < INT64_MAX)
        return tti_fail(TUTTI_ERR_TIMEOUT, "rank %d has published no %s", rank, key);
    if (strcmp(key, late) == 0 && instead != 0) return tti_fail(instead, "no %s will come", key);
    if (strcmp(key, "tutti.node.obstacle") == 0) {
        *(char *)value = '\0'; /* nothing stands in the others' way */
        *bytes = 1;
        return 0;
    }
    while (i < published && strcmp(records[i].key, key) != 0)
        i++;
    EXPECT(i < published && records[i].bytes <= *bytes);
    memcpy(value, records[i].value, *bytes = records[i].bytes);
    return 0;
}

bool tti_node_is_hidden(const tti_job *job)
{
    (void)job;
    return in_doubt;
}

uint64_t tti_node_namespace(void)
{
    return 1;
}

/* What the third rank gets, when the first one has done its part. Of those that wait the second would say so.
 */
static int join(void)
{
    static const int ranks[] = {0, 1, 2};
    const tti_job first = {.size = 3, .nodes = 1, .local_size = 3, .local_ranks = ranks},
                  third = {.rank = 2,
                           .size = 3,
                           .nodes = 1,
                           .local_index = 2,
                           .local_size = 3,
                           .local_ranks = ranks};
    const tti_node_shape shape = tti_node_shape_for(3);
    const tti_figures typical = tti_figures_typical();
    const tti_crossings crossings = tti_crossings_of(&typical);
    tti_node_header *made, *found = NULL;
    int fd, unused = -1;
    published = 0;
    EXPECT(tti_node_make_segment(&shape, &crossings, &fd, &made) == 0);
    EXPECT(tti_node_invite(&first, made, fd) == 0);
    const int code = tti_node_join(&third, &found, &unused);
    EXPECT(code < 0 || (found != NULL && found->cookie == made->cookie));
    if (found != NULL) munmap(found, found->bytes);
    munmap(made, made->bytes);
    close(fd);
    return code;
}

static void test_late(const char *key)
{
    late = key;
    instead = 0;
    EXPECT(join() == 0 && strcmp(tutti_error_detail(), "") == 0); /* it was no failure */
    instead = TUTTI_ERR_PEER_FAILED;
    EXPECT(join() == TUTTI_ERR_PEER_FAILED);
    instead = TUTTI_ERR_LAUNCH;
    EXPECT(join() == TUTTI_ERR_LAUNCH);
    tti_status_forget();
}

int main(void)
{
    EXPECT(tti_options_load(NULL) == 0);
    test_late("tutti.node");
    in_doubt = true;
    test_late("tutti.node");
    test_late("tutti.node.verdict");
    tti_options_unload();
    return 0;
}
