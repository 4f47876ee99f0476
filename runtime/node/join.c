/* SPDX-License-Identifier: BSD-3-Clause */
/* The first rank of a node tells where its segment is, and the others open it there, through /proc. As a rule
 * that is all, and nobody waits for another but for the first one: until it comes or is dead, as all waits
 * for ranks of the world. The server that both are clients of keeps the record, so there is no launcher that
 * might lose it on its way.
 *
 * Where the first rank knows that the others may not be able to open it, it says so, and the ranks agree, so
 * that all use the segment or none does:
 *
 *     first                       others
 *     notice, in doubt    ---->   try to open the segment
 *                         <----   what stands in the way, or nothing
 *     what stands in the way
 *     of any of them      ---->   use it or not
 *
 * A process in reserve comes when the first rank may be dead. So in jobs that have any, every rank tells
 * where it has the segment, once it uses it. */
#include "runtime/node/join.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/alike.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/base/wire.h"
#include "runtime/node/decline.h"

#define NOTICE_KEY "tutti.node"
#define OBSTACLE_KEY "tutti.node.obstacle" /* of another rank than the first */
#define VERDICT_KEY "tutti.node.verdict"
#define TRANSPORT_TEXT 8 /* longest value of TUTTI_TRANSPORT and its end */
#define OBSTACLE_TEXT 512
#define NOTICE_ROOM 512

/* What the first local rank tells the others: where its segment is, of no bytes if it makes none, what
 * TUTTI_TRANSPORT is there, and the options that must be alike. */
typedef struct {
    uint64_t cookie, bytes, namespace;
    pid_t pid;
    int fd;
    bool in_doubt;
    char transport[TRANSPORT_TEXT];
    tti_alike options;
} notice;

static int announce(const tti_node_header *header, int fd, bool in_doubt)
{
    uint8_t record[NOTICE_ROOM];
    char transport[TRANSPORT_TEXT] = "";
    tti_alike options;
    tti_wire_out out = {record, record + sizeof record, false};
    snprintf(transport, sizeof transport, "%s", tti_option_text(TTI_OPTION_TRANSPORT));
    tti_wire_put_uint(&out, TTI_NODE_MAGIC, 8);
    tti_wire_put_uint(&out, (uint64_t)getpid(), 4);
    tti_wire_put_uint(&out, (uint64_t)fd, 4);
    tti_wire_put_uint(&out, tti_node_namespace(), 8);
    tti_wire_put_uint(&out, header != NULL ? header->cookie : 0, 8);
    tti_wire_put_uint(&out, header != NULL ? header->bytes : 0, 8);
    tti_wire_put_uint(&out, in_doubt, 1);
    tti_wire_put(&out, transport, sizeof transport);
    tti_alike_own(&options);
    tti_alike_put(&out, &options);
    return tti_pmi_put(NOTICE_KEY, record, (size_t)(out.at - record));
}

/* The lowest of those that wait says so, like the watchdog, which is not there yet. */
static int await(const tti_job *job, int rank, const char *key, void *record, size_t *bytes)
{
    const int64_t patience = tti_option_value(TTI_OPTION_CONNECT_TIMEOUT);
    int code = tti_pmi_get(rank, key, record, bytes, patience);
    if (code != TUTTI_ERR_TIMEOUT) return code;
    if (job->local_index == 1)
        tti_log(TTI_LOG_ERROR,
                "waits in tutti_init() for rank %d, which is on this node, since %.3g s (tuttirun --timeout "
                "ends a job that hangs)",
                rank, (double)patience / (double)TTI_NS_PER_SECOND);
    code = tti_pmi_get(rank, key, record, bytes, INT64_MAX);
    if (code == 0) tti_status_forget();
    return code;
}

static int read_notice(const tti_job *job, int leader, notice *found)
{
    uint8_t record[NOTICE_ROOM];
    size_t bytes = sizeof record;
    const int code = await(job, leader, NOTICE_KEY, record, &bytes);
    if (code < 0) return code;
    tti_wire_in in = {record, record + bytes, false};
    const uint64_t magic = tti_wire_take_uint(&in, 8);
    found->pid = (pid_t)tti_wire_take_uint(&in, 4);
    found->fd = (int)tti_wire_take_uint(&in, 4);
    found->namespace = tti_wire_take_uint(&in, 8);
    found->cookie = tti_wire_take_uint(&in, 8);
    found->bytes = tti_wire_take_uint(&in, 8);
    found->in_doubt = tti_wire_take_uint(&in, 1) != 0;
    const char *transport = tti_wire_take(&in, sizeof found->transport);
    tti_alike_take(&in, &found->options);
    if (in.failed || magic != TTI_NODE_MAGIC)
        return tti_fail(TUTTI_ERR_VERSION, "rank %d has a node segment of another version of Tutti", leader);
    snprintf(found->transport, sizeof found->transport, "%.*s", TRANSPORT_TEXT - 1, transport);
    return tti_alike_check(&found->options, leader, job->rank);
}

/* The first rank's choice and this one's must fit: what goes through the segment is not read otherwise. */
static int check_transport(const tti_job *job, const notice *found, bool with_segment)
{
    if ((found->bytes > 0) == with_segment) return 0;
    return tti_fail(
        TUTTI_ERR_OPTION,
        "TUTTI_TRANSPORT is %s at rank %d and %s at rank %d, on the same node: set it to the same "
        "for all ranks",
        found->transport, job->local_ranks[0], tti_option_text(TTI_OPTION_TRANSPORT), job->rank);
}

int tti_node_decline(const tti_job *job)
{
    notice found;
    if (job->local_index == 0) return announce(NULL, -1, false);
    const int code = read_notice(job, job->local_ranks[0], &found);
    return code < 0 ? code : check_transport(job, &found, false);
}

static int check_namespace(const tti_job *job, int leader, const notice *told)
{
    if (told->namespace == tti_node_namespace()) return 0;
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "ranks %d and %d have process ids in different namespaces, so neither reaches the "
                    "other's memory (containers? use TUTTI_TRANSPORT=fabric)",
                    leader, job->rank);
}

/* Returns a descriptor or a negative code. */
static int open_announced(int leader, const notice *told)
{
    char path[64];
    struct stat state;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)told->pid, told->fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return tti_fail_errno(
            TUTTI_ERR_PEER_FAILED, errno,
            "opening the node's segment of rank %d through %s (if that process lives: /proc "
            "or ptrace is restricted here, use TUTTI_TRANSPORT=fabric)",
            leader, path);
    if (fstat(fd, &state) == 0 && (size_t)state.st_size == told->bytes &&
        told->bytes >= sizeof(tti_node_header))
        return fd;
    close(fd);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "%s is not the segment of rank %d: its process is gone", path,
                    leader);
}

/* *opened stays open where there are others to come. */
static int map_announced(const tti_job *job, int leader, const notice *told, tti_node_header **header,
                         int *opened)
{
    int code = check_namespace(job, leader, told);
    const int fd = code < 0 ? code : open_announced(leader, told);
    if (fd < 0) return fd;
    code = tti_node_map_segment(fd, told->bytes, header);
    if (code < 0 || job->reserve == 0)
        close(fd);
    else
        *opened = fd;
    if (code < 0) return code;
    const tti_node_header *found = *header;
    if (found->magic == TTI_NODE_MAGIC && found->cookie == told->cookie && found->bytes == told->bytes &&
        found->shape.ranks == (uint32_t)job->local_size)
        return 0;
    munmap(*header, told->bytes);
    *header = NULL;
    if (job->reserve > 0) close(fd);
    if (job->reserve > 0) *opened = -1;
    return tti_fail(TUTTI_ERR_PEER_FAILED, "process %ld is not rank %d any more: it ended early",
                    (long)told->pid, leader);
}

/* A text; an empty one says that nothing stands in the way. */
static int tell(const char *key, const char *obstacle)
{
    char text[OBSTACLE_TEXT];
    snprintf(text, sizeof text, "%s", obstacle);
    return tti_pmi_put(key, text, strlen(text) + 1);
}

/* What stands in the way of the first rank that cannot open the segment. One that is dead needs none; one
 * that does not come in time will read what was decided. */
static void hear_all(const tti_job *job, char obstacle[OBSTACLE_TEXT])
{
    obstacle[0] = '\0';
    for (int i = 1; i < tti_job_local_world(job) && obstacle[0] == '\0'; i++) {
        size_t bytes = OBSTACLE_TEXT;
        const int code = tti_pmi_get(job->local_ranks[i], OBSTACLE_KEY, obstacle, &bytes,
                                     tti_option_value(TTI_OPTION_CONNECT_TIMEOUT));
        obstacle[OBSTACLE_TEXT - 1] = '\0';
        if (code < 0 && code != TUTTI_ERR_PEER_FAILED)
            snprintf(obstacle, OBSTACLE_TEXT, "%s", tutti_error_detail());
    }
}

static int conclude(const char *obstacle)
{
    if (obstacle[0] == '\0') return 0;
    return tti_fail(TUTTI_ERR_UNSUPPORTED, "the ranks of this node cannot all share memory: %s", obstacle);
}

int tti_node_invite(const tti_job *job, const tti_node_header *header, int fd)
{
    char obstacle[OBSTACLE_TEXT];
    const bool in_doubt = tti_node_is_hidden(job);
    int code = announce(header, fd, in_doubt);
    if (code < 0 || !in_doubt) return code;
    hear_all(job, obstacle);
    code = tell(VERDICT_KEY, obstacle);
    if (code == 0 && obstacle[0] != '\0' && job->reserve > 0) code = announce(NULL, -1, false);
    return code < 0 ? code : conclude(obstacle);
}

static int join_first(const tti_job *job, tti_node_header **header, int *fd)
{
    char obstacle[OBSTACLE_TEXT] = "";
    size_t bytes = sizeof obstacle;
    const int leader = job->local_ranks[0];
    notice told;
    int code = read_notice(job, leader, &told);
    if (code == 0) code = check_transport(job, &told, true);
    if (code < 0) return code;
    code = map_announced(job, leader, &told, header, fd);
    if (!told.in_doubt) return code;
    code = tell(OBSTACLE_KEY, code < 0 ? tutti_error_detail() : "");
    if (code == 0) code = await(job, leader, VERDICT_KEY, obstacle, &bytes);
    obstacle[OBSTACLE_TEXT - 1] = '\0';
    return code < 0 ? code : conclude(obstacle);
}

/* Whoever lives of those that need this process has it, or has none. */
static int join_any(const tti_job *job, tti_node_header **header, int *fd)
{
    int code = tti_fail(TUTTI_ERR_PEER_FAILED, "all ranks that need this process have died");
    for (int i = 0; i < job->allies_count; i++) {
        notice told;
        const int ally = job->allies[i];
        code = tti_pmi_has_died(ally) ? code : read_notice(job, ally, &told);
        if (code == 0 && told.bytes == 0) return conclude("they do not");
        if (code == 0) code = map_announced(job, ally, &told, header, fd);
        if (code == 0) return 0;
    }
    return code;
}

int tti_node_join(const tti_job *job, tti_node_header **header, int *fd)
{
    *header = NULL;
    const int code = job->rank < tti_job_world(job) ? join_first(job, header, fd) : join_any(job, header, fd);
    if (job->reserve == 0 || (code < 0 && code != TUTTI_ERR_UNSUPPORTED)) return code;
    const int told = announce(code == 0 ? *header : NULL, *fd, false);
    return code < 0 ? code : told;
}
