/* SPDX-License-Identifier: BSD-3-Clause */
/* Joining and leaving the job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/address_space.h"
#include "runtime/base/claim_wire.h"
#include "runtime/base/clock.h"
#include "runtime/base/descriptor_room.h"
#include "runtime/base/options.h"
#include "runtime/base/process_room.h"
#include "runtime/base/status.h"
#include "runtime/base/thread.h"

/* Stack of a thread where its size is not limited, and what else PMIx takes at its start, in bytes. */
#define STACK_USUAL (UINT64_C(8) << 20)
#define PMIX_TABLES (UINT64_C(24) << 20)
#define PMIX_FILES 6 /* that PMIx 4.2 opens at its start, at once */

static const int alone[] = {0};

static void *end_at_once(void *argument)
{
    return argument;
}

/* PMIx starts a thread, too: where it cannot, it says so in many words of its own. */
static bool is_room_for_thread(void)
{
    pthread_t thread;
    return tti_thread_start(&thread, end_at_once, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static void *attach_thread(void *argument)
{
    tti_pmi_pending *pending = argument;
    if (!is_room_for_thread()) {
        tti_pmi_pending_finish(pending, PMIX_ERR_OUT_OF_RESOURCE, NULL);
        return NULL;
    }
    const pmix_status_t status = PMIx_Init(&pending->process, NULL, 0);
    tti_pmi_pending_finish(pending, status, NULL);
    return NULL;
}

/* PMIx 4.2 crashes where an allocation of its start fails, or a descriptor is missing: it has two threads
 * with their stacks, and some tables. */
static int check_room(void)
{
    struct rlimit stack;
    uint64_t bytes = STACK_USUAL;
    if (!tti_descriptors_left(PMIX_FILES))
        return tti_fail(TUTTI_ERR_LIMIT, "joining the job takes %d open files, and fewer are left%s",
                        PMIX_FILES, tti_descriptors_remedy(EMFILE));
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY) bytes = stack.rlim_cur;
    return tti_address_space_check("PMIx's start", 2 * bytes + PMIX_TABLES);
}

static int fail_attach(pmix_status_t status, bool late)
{
    char room[TTI_PROCESS_ROOM];
    if (status == PMIX_ERR_OUT_OF_RESOURCE) return tti_fail_thread(EAGAIN, "join the job with");
    tti_process_room_describe(room);
    const bool threadless =
        status == PMIX_ERROR; /* that much PMIx says where another rank has the last one */
    return tti_fail(
        TUTTI_ERR_LAUNCH,
        "PMIX_NAMESPACE is set, but the launcher's PMIx server does not serve this process (%s%s); "
        "is the launcher still alive, and its PMIx at least 4.2%s%s%s?",
        PMIx_Error_string(status), late ? ", TUTTI_CONNECT_TIMEOUT is the limit" : "",
        tti_address_space_left() != UINT64_MAX ? ", and the address space (ulimit -v) large enough" : "",
        threadless ? ", and is there room for its thread: " : "", threadless ? room : "");
}

static int attach(void)
{
    const int room = check_room();
    if (room < 0) return room;
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to join the job");
    const int error = tti_pmi_pending_start(pending, attach_thread);
    if (error != 0) {
        tti_pmi_pending_discard(pending);
        return tti_fail_thread(error, "join the job with");
    }
    const int64_t limit = tti_option_value(TTI_OPTION_CONNECT_TIMEOUT);
    const int late = tti_pmi_pending_wait(pending, 0, tti_clock_later(tti_clock_ns(), limit));
    const pmix_status_t status = late == 0 ? pending->status : PMIX_ERR_TIMEOUT;
    tti_pmi_self.me = pending->process;
    tti_pmi_pending_release(pending);
    if (status != PMIX_SUCCESS) return fail_attach(status, late != 0);
    tti_pmi_self.attached = true;
    return 0;
}

static int read_job(void)
{
    tti_job *job = &tti_pmi_self.job;
    int code = tti_pmi_place_read();
    if (code == 0) code = tti_pmi_nodes_open();
    if (code < 0) return code;
    snprintf(job->name, sizeof job->name, "%s", tti_pmi_self.me.nspace);
    job->launcher = tti_pmi_launcher_name();
    job->needs_fence = tti_pmi_launcher_needs_fence();
    job->leaves_together = tti_pmi_launcher_leaves_together();
    return 0;
}

static int join(tti_pmi_failure_fn *failed, void *context)
{
    int code = attach();
    if (code == 0) code = read_job();
    if (code == 0) code = tti_pmi_take_seat();
    if (code == 0) code = tti_pmi_events_open(failed, context);
    return code;
}

int tti_pmi_open(tti_pmi_failure_fn *failed, void *context, const tti_job **job)
{
    if (tti_pmi_self.open) return tti_fail(TUTTI_ERR_STATE, "this process has joined its job already");
    if (tti_pmi_has_had_seat())
        return tti_fail(TUTTI_ERR_STATE, "an earlier tutti_init() of this process failed after it had joined "
                                         "the job; a rank joins once");
    bool announced;
    int code = tti_pmi_launcher_find(&announced);
    if (code < 0) return code;

    tti_pmi_self.open = true;
    tti_pmi_self.fact = tti_pmi_fact_ask;
    tti_pmi_self.job =
        (tti_job){.size = 1, .nodes = 1, .local_size = 1, .local_ranks = alone, .launcher = "none"};
    if (announced) code = join(failed, context);
    if (code < 0) {
        tti_pmi_give_up();
        return code;
    }
    *job = &tti_pmi_self.job;
    return 0;
}

static void leave(const char *word)
{
    if (!tti_pmi_self.open) return;
    if (tti_pmi_self.attached) {
        if (tti_pmi_self.seated) tti_pmi_take_leave(word);
        tti_pmi_events_close();
        PMIx_Finalize(NULL, 0);
        if (!PMIx_Initialized()) tti_pmi_pending_close();
    }
    tti_pmi_singleton_close();
    tti_pmi_nodes_close();
    free(tti_pmi_self.local_ranks);
    free(tti_pmi_self.allies);
    tti_pmi_self = (tti_pmi_client){0};
}

void tti_pmi_close(void)
{
    leave(TTI_CLAIM_LEAVE);
}

/* In a job of one process nobody waits for it, and it may try again. */
void tti_pmi_give_up(void)
{
    leave(tti_pmi_self.job.size > 1 ? TTI_CLAIM_FAILED : TTI_CLAIM_LEAVE);
}
