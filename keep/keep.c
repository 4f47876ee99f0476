/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that keep and forget. */
#include "tutti/keep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "keep/keeping.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

static void release(tutti_request *request)
{
    free(request);
}

static const tti_request_kind ikeep_kind = {"tutti_ikeep", NULL, NULL, release, NULL, NULL};

/* What a rank asks for. */
typedef struct {
    const char *call;
    tutti_comm *comm;
    const char *name;
    const void *buffer;
    size_t bytes;
    bool is_request;
} wish;

static int check(const wish *w)
{
    const int code = tti_check_open(w->call);
    if (code < 0) return code;
    if (w->comm == NULL || w->name == NULL || (w->buffer == NULL && w->bytes > 0))
        return tti_fail(TUTTI_ERR_ARG, "%s: comm, name or buffer is NULL", w->call);
    if (w->bytes > PTRDIFF_MAX)
        return tti_fail(TUTTI_ERR_ARG, "%s: %zu bytes are more than memory can hold", w->call, w->bytes);
    if (w->name[0] != '\0' && strlen(w->name) < TTI_KEEP_NAME) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: a name has 1 to %d characters, \"%s\" has %zu", w->call,
                    TTI_KEEP_NAME - 1, w->name, strlen(w->name));
}

/* Whose state is this rank's alone: ranks that wait for their requests all come here with it idle. */
static int check_idle(const char *call, const char *name)
{
    if (tti_keep_find_busy(name) == NULL) return 0;
    return tti_fail(TUTTI_ERR_STATE,
                    "%s: a version of \"%s\" is being made by tutti_ikeep(); wait for it first", call, name);
}

/* Under the lock. */
static int begin(const wish *w, tti_keeping **begun)
{
    int code = check_idle(w->call, w->name);
    if (code < 0) return code;
    tti_keeping *r = calloc(1, sizeof *r);
    if (r == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a request", w->call);
    r->keep = tti_keep_find(w->name, w->comm);
    if (r->keep == NULL) code = tti_keep_make(w->name, w->comm, &r->keep);
    if (code == 0) {
        r->name = w->call;
        r->comm = w->comm;
        r->buffer = w->buffer;
        r->bytes = w->bytes;
        r->is_request = w->is_request;
        tti_request_open(&r->base, &ikeep_kind, false);
        if (r->is_request) tti_request_begin(&r->base);
        r->base.state = TTI_REQUEST_ACTIVE;
        code = tti_keeping_begin(r);
        if (code < 0 && r->is_request) tti_request_complete(&r->base, code);
    }
    if (code < 0)
        free(r);
    else
        *begun = r;
    return code;
}

static int block(const wish *w)
{
    tti_keeping *r = NULL;
    tti_lock();
    int code = begin(w, &r);
    if (code == 0) {
        if (!tti_keeping_is_done(r)) tti_wait_until(tti_keeping_is_done, r, w->call, TUTTI_ANY_SOURCE);
        code = r->base.status.error;
        free(r);
    }
    tti_unlock();
    return code;
}

int tutti_keep(tutti_comm *comm, const char *name, const void *buffer, size_t bytes)
{
    const wish w = {"tutti_keep", comm, name, buffer, bytes, false};
    const int code = check(&w);
    return tti_answer(code < 0 ? code : block(&w));
}

int tti_keep_again(const char *call, tutti_comm *comm, const tti_keep *keep)
{
    const tti_keep_room *own = &keep->mine[keep->version % 2];
    const wish w = {call, comm, keep->name, own->memory, own->bytes, false};
    return block(&w);
}

int tutti_ikeep(tutti_comm *comm, const char *name, const void *buffer, size_t bytes, tutti_request **request)
{
    const wish w = {"tutti_ikeep", comm, name, buffer, bytes, true};
    tti_keeping *r = NULL;
    int code = check(&w);
    if (code == 0 && request == NULL) code = tti_fail(TUTTI_ERR_ARG, "tutti_ikeep: request is NULL");
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = begin(&w, &r);
    if (code == 0) *request = &r->base;
    tti_unlock();
    return tti_answer(code);
}

int tutti_forget(const char *name)
{
    int code = tti_check_open("tutti_forget");
    if (code == 0 && name == NULL) code = tti_fail(TUTTI_ERR_ARG, "tutti_forget: name is NULL");
    if (code < 0) return tti_answer(code);
    tti_lock();
    code = check_idle("tutti_forget", name);
    tti_keep *k = code == 0 ? tti_keep_find_version(name) : NULL;
    if (k != NULL) tti_keep_free(k);
    tti_unlock();
    return tti_answer(code);
}
