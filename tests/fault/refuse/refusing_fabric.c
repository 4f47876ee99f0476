/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* A libfabric.so.1 that stands in front of the real one and refuses. It gives what the real one gives, but for
 * the calls that it counts; the environment says which of them fails:
 *
 *   REFUSE="RANK CALL N HOW"   at that rank the Nth call (from 1) of CALL, a name of the table below, is refused:
 *                              HOW = again (no room now), memory, or reset (the connection is gone); with a +
 *                              behind, so is every later one. HOW = late: it is taken, and its completion is
 *                              made an error.
 *   REFUSE_TOLD=FILE           gets a line when that happens
 *   REFUSE_LARGEST=BYTES       what the provider says is its largest message; longer ones are refused
 */
/* clang-format on */
#include <dlfcn.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum call {
    SEND,
    SENDMSG,
    RECV,
    TSEND,
    TRECV,
    READ,
    WRITE,
    REGISTER,
    INSERT,
    DOMAIN,
    ENDPOINT,
    QUEUE,
    CALLS
};
static const char *const names[CALLS] = {"send",  "sendmsg",  "recv",   "tsend",  "trecv",    "read",
                                         "write", "register", "insert", "domain", "endpoint", "queue"};

static struct {
    bool ready, here, again_and_again;
    enum call call;
    unsigned long at, count;
    int error;      /* positive */
    bool late;      /* told by the completion */
    void *late_one; /* the operation whose completion is to be an error */
    void *failed;   /* the one whose error waits to be read */
    size_t largest;
} plan;

static void read_plan(void)
{
    static const struct {
        const char *how;
        int error;
    } errors[] = {{"again", FI_EAGAIN}, {"memory", FI_ENOMEM}, {"reset", FI_ECONNRESET}, {"late", FI_EOTHER}};
    int rank = -1;
    char call[16] = "", how[16] = "";
    const char *text = getenv("REFUSE"), *own = getenv("PMIX_RANK"), *largest = getenv("REFUSE_LARGEST");
    plan.ready = true;
    plan.largest = largest != NULL ? strtoul(largest, NULL, 10) : SIZE_MAX;
    if (text == NULL || own == NULL) return;
    if (sscanf(text, "%d %15s %lu %15s", &rank, call, &plan.at, how) != 4) abort();
    plan.here = rank == atoi(own);
    while (plan.call < CALLS && strcmp(names[plan.call], call) != 0)
        plan.call++;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strncmp(how, errors[i].how, strlen(errors[i].how)) == 0) plan.error = errors[i].error;
    plan.again_and_again = strchr(how, '+') != NULL;
    plan.late = strncmp(how, "late", 4) == 0;
    if (plan.call == CALLS || plan.error == 0) abort();
}

static void tell(enum call call)
{
    const char *path = getenv("REFUSE_TOLD");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL) return;
    fprintf(file, "%s %lu\n", names[call], plan.count);
    fclose(file);
}

/* Whether this call is one to refuse. */
static bool is_due(enum call call)
{
    if (!plan.here || call != plan.call) return false;
    plan.count++;
    if (plan.again_and_again ? plan.count < plan.at : plan.count != plan.at) return false;
    tell(call);
    return true;
}

/* Puts a changed copy in the place of a table of the provider's, which `real` keeps. */
#define REPLACE(place, real, copy)                                                                           \
    do {                                                                                                     \
        real = (place);                                                                                      \
        copy = *(place);                                                                                     \
        (place) = &copy;                                                                                     \
    } while (0)

static struct fi_ops_msg *real_msg, msg;
static struct fi_ops_tagged *real_tagged, tagged;
static struct fi_ops_rma *real_rma, rma;
static struct fi_ops_mr *real_mr, mr;
static struct fi_ops_av *real_av, av;
static struct fi_ops_cq *real_cq, cq;
static struct fi_ops_domain *real_domain, domain_ops;
static struct fi_ops_fabric *real_fabric, fabric_ops;

/* Refuses, or gives what the real call of the provider gives. */
#define POST(call, bytes, operation, real)                                                                   \
    do {                                                                                                     \
        if ((bytes) > plan.largest) return -FI_EMSGSIZE;                                                     \
        if (!is_due(call)) return real;                                                                      \
        if (!plan.late) return -plan.error;                                                                  \
        plan.late_one = (operation);                                                                         \
        return real;                                                                                         \
    } while (0)

static ssize_t send_one(struct fid_ep *ep, const void *buf, size_t bytes, void *desc, fi_addr_t to,
                        void *context)
{
    POST(SEND, bytes, context, real_msg->send(ep, buf, bytes, desc, to, context));
}

static ssize_t recv_one(struct fid_ep *ep, void *buf, size_t bytes, void *desc, fi_addr_t from, void *context)
{
    POST(RECV, bytes, context, real_msg->recv(ep, buf, bytes, desc, from, context));
}

static ssize_t sendmsg_one(struct fid_ep *ep, const struct fi_msg *message, uint64_t flags)
{
    size_t bytes = 0;
    for (size_t i = 0; i < message->iov_count; i++)
        bytes += message->msg_iov[i].iov_len;
    POST(SENDMSG, bytes, message->context, real_msg->sendmsg(ep, message, flags));
}

static ssize_t tsend_one(struct fid_ep *ep, const void *buf, size_t bytes, void *desc, fi_addr_t to,
                         uint64_t tag, void *context)
{
    POST(TSEND, bytes, context, real_tagged->send(ep, buf, bytes, desc, to, tag, context));
}

static ssize_t trecv_one(struct fid_ep *ep, void *buf, size_t bytes, void *desc, fi_addr_t from, uint64_t tag,
                         uint64_t ignore, void *context)
{
    POST(TRECV, bytes, context, real_tagged->recv(ep, buf, bytes, desc, from, tag, ignore, context));
}

static ssize_t read_one(struct fid_ep *ep, void *buf, size_t bytes, void *desc, fi_addr_t from, uint64_t at,
                        uint64_t key, void *context)
{
    POST(READ, bytes, context, real_rma->read(ep, buf, bytes, desc, from, at, key, context));
}

static ssize_t write_one(struct fid_ep *ep, const struct fi_msg_rma *message, uint64_t flags)
{
    POST(WRITE, message->msg_iov[0].iov_len, message->context, real_rma->writemsg(ep, message, flags));
}

static int register_one(struct fid *fid, const void *buf, size_t bytes, uint64_t access, uint64_t offset,
                        uint64_t key, uint64_t flags, struct fid_mr **made, void *context)
{
    if (is_due(REGISTER)) return -plan.error;
    return real_mr->reg(fid, buf, bytes, access, offset, key, flags, made, context);
}

static int insert_one(struct fid_av *vector, const void *address, size_t count, fi_addr_t *inserted,
                      uint64_t flags, void *context)
{
    if (is_due(INSERT)) return -plan.error;
    return real_av->insert(vector, address, count, inserted, flags, context);
}

/* Tutti's queues are of FI_CQ_FORMAT_MSG. The completion that is to fail leaves the list. */
static ssize_t queue_read(struct fid_cq *queue, void *buf, size_t count)
{
    struct fi_cq_msg_entry *entries = buf;
    if (plan.failed != NULL) return -FI_EAVAIL;
    const ssize_t read = real_cq->read(queue, buf, count);
    for (ssize_t i = 0; plan.late_one != NULL && i < read; i++) {
        if (entries[i].op_context != plan.late_one) continue;
        plan.failed = plan.late_one;
        plan.late_one = NULL;
        memmove(&entries[i], &entries[i + 1], (size_t)(read - i - 1) * sizeof *entries);
        return read > 1 ? read - 1 : -FI_EAVAIL;
    }
    return read;
}

static ssize_t queue_readerr(struct fid_cq *queue, struct fi_cq_err_entry *entry, uint64_t flags)
{
    if (plan.failed == NULL) return real_cq->readerr(queue, entry, flags);
    *entry = (struct fi_cq_err_entry){.op_context = plan.failed, .err = plan.error};
    plan.failed = NULL;
    return 1;
}

static int trywait(struct fid_fabric *fabric, struct fid **fids, int count)
{
    return plan.failed != NULL ? -FI_EAGAIN : real_fabric->trywait(fabric, fids, count);
}

/* Providers open endpoints of their own through the same table: the first one that is there is the caller's.
 */
static int open_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep, void *context)
{
    static bool opening;
    if (opening || real_msg != NULL) return real_domain->endpoint(domain, info, ep, context);
    if (is_due(ENDPOINT)) return -plan.error;
    opening = true;
    const int result = real_domain->endpoint(domain, info, ep, context);
    opening = false;
    if (result != 0) return result;
    REPLACE((*ep)->msg, real_msg, msg);
    msg.send = send_one;
    msg.sendmsg = sendmsg_one;
    msg.recv = recv_one;
    REPLACE((*ep)->tagged, real_tagged, tagged);
    tagged.send = tsend_one;
    tagged.recv = trecv_one;
    if ((*ep)->rma != NULL) {
        REPLACE((*ep)->rma, real_rma, rma);
        rma.read = read_one;
        rma.writemsg = write_one;
    }
    return 0;
}

static int open_queue(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **queue,
                      void *context)
{
    if (is_due(QUEUE)) return -plan.error;
    const int result = real_domain->cq_open(domain, attr, queue, context);
    if (result != 0) return result;
    REPLACE((*queue)->ops, real_cq, cq);
    cq.read = queue_read;
    cq.readerr = queue_readerr;
    return 0;
}

static int open_addresses(struct fid_domain *domain, struct fi_av_attr *attr, struct fid_av **vector,
                          void *context)
{
    const int result = real_domain->av_open(domain, attr, vector, context);
    if (result != 0) return result;
    REPLACE((*vector)->ops, real_av, av);
    av.insert = insert_one;
    return 0;
}

static int open_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **domain,
                       void *context)
{
    if (is_due(DOMAIN)) return -plan.error;
    const int result = real_fabric->domain(fabric, info, domain, context);
    if (result != 0) return result;
    REPLACE((*domain)->ops, real_domain, domain_ops);
    domain_ops.endpoint = open_endpoint;
    domain_ops.cq_open = open_queue;
    domain_ops.av_open = open_addresses;
    REPLACE((*domain)->mr, real_mr, mr);
    mr.reg = register_one;
    return 0;
}

static void *find(const char *name)
{
    static void *real;
    if (!plan.ready) read_plan();
    if (real == NULL) real = dlopen(REAL_LIBFABRIC, RTLD_NOW | RTLD_LOCAL);
    void *symbol = real != NULL ? dlsym(real, name) : NULL;
    if (symbol != NULL) return symbol;
    fprintf(stderr, "refusing libfabric: %s\n", dlerror());
    abort();
}

/* Calls the real function of that name. */
#define REAL(name, ...) ((__typeof__(&name))find(#name))(__VA_ARGS__)

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
               const struct fi_info *hints, struct fi_info **found)
{
    const int result = REAL(fi_getinfo, version, node, service, flags, hints, found);
    for (struct fi_info *one = result == 0 ? *found : NULL; one != NULL; one = one->next)
        if (one->ep_attr->max_msg_size > plan.largest) one->ep_attr->max_msg_size = plan.largest;
    return result;
}

int fi_fabric(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context)
{
    const int result = REAL(fi_fabric, attr, fabric, context);
    if (result != 0) return result;
    REPLACE((*fabric)->ops, real_fabric, fabric_ops);
    fabric_ops.domain = open_domain;
    fabric_ops.trywait = trywait;
    return 0;
}

void fi_freeinfo(struct fi_info *info)
{
    REAL(fi_freeinfo, info);
}

struct fi_info *fi_dupinfo(const struct fi_info *info)
{
    return REAL(fi_dupinfo, info);
}

const char *fi_strerror(int error)
{
    return REAL(fi_strerror, error);
}

uint32_t fi_version(void)
{
    return REAL(fi_version);
}
