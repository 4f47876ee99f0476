/* SPDX-License-Identifier: BSD-3-Clause */
/* The ordered ladder of opening and closing, nothing else. */
#include "tutti/init.h"
#include "tutti/error.h"
#include "tutti/fault.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "collectives/agree/agree_open.h"
#include "collectives/agree/restore_join.h"
#include "collectives/calls/verify.h"
#include "collectives/execute/run.h"
#include "collectives/select/select.h"
#include "keep/store.h"
#include "pmi/pmi.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/node/order.h"
#include "runtime/p2p/p2p.h"
#include "runtime/p2p/p2p_request.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/request/request.h"
#include "runtime/rma/rma.h"
#include "runtime/topology/near_groups.h"

static struct {
    int count; /* calls of tutti_init() that wait for their tutti_finalize() */
    int thread_level;
    bool newcomer;
    bool over; /* the last tutti_finalize() has been */
    tutti_comm *world;
} library;

/* A newcomer waits here until it is called for. */
static int open_world(const tti_job *job)
{
    library.newcomer = job->rank >= tti_job_world(job);
    const int code = library.newcomer ? tti_pmi_await_call() : 0;
    if (code != 0) return code;
    return tti_comm_open_world(job->rank, tti_job_world(job), job->reserve, &library.world);
}

static int open_messages(const tti_job *job)
{
    int code = tti_p2p_open(job);
    if (code < 0) return code;
    code = tti_rma_open(job);
    if (code < 0) goto close_p2p;
    tti_run_watch();
    tti_verify_open();
    tti_agree_open_all();
    if (library.newcomer) code = tti_restore_join(job, &library.world);
    if (code < 0) goto close_rma;
    return 0;

close_rma:
    tti_rma_close();
    tti_agree_close_all();
close_p2p:
    tti_p2p_close();
    return code;
}

static int open_all(const tutti_options *options, int thread_level)
{
    const tti_job *job;
    tti_node_order_open();
    int code = tti_options_load(options != NULL ? options->set : NULL);
    if (code < 0) goto unload_options;
    tti_log_set_level((enum tti_log_level)tti_option_value(TTI_OPTION_LOG));
    code = tti_select_open();
    if (code < 0) goto unload_options;
    tti_lock_open(thread_level);
    code = tti_pmi_open(tti_lost_peer_died, NULL, &job);
    if (code < 0) goto close_select;
    tti_log_set_rank(job->rank);
    code = open_world(job);
    if (code < 0) goto close_pmi;
    code = open_messages(job);
    if (code < 0) goto release_world;
    library.thread_level = thread_level;
    tti_set_open(true);
    return 0;

release_world:
    if (library.world != NULL) tti_comm_release(library.world);
    library.world = NULL;
close_pmi:
    tti_pmi_give_up();
close_select:
    tti_select_close();
unload_options:
    tti_options_unload();
    return code;
}

static void close_all(void)
{
    tti_set_open(false);
    tti_keep_close_all();
    tti_rma_close();
    tti_comm_release(library.world);
    library.world = NULL;
    tti_agree_close_all();
    tti_near_groups_close();
    tti_p2p_close();
    tti_p2p_requests_close();
    tti_pmi_close();
    tti_select_close();
    tti_options_unload();
    library.over = true;
}

static int check_level(int level)
{
    if (level < TUTTI_THREAD_SINGLE || level > TUTTI_THREAD_MULTIPLE)
        return tti_fail(TUTTI_ERR_ARG, "tutti_init: thread level %d is none of TUTTI_THREAD_*", level);
    if (library.count > 0 && level > library.thread_level)
        return tti_fail(TUTTI_ERR_STATE,
                        "tutti_init: thread level %d is asked for, the first call asked for %d; ask for the "
                        "highest first",
                        level, library.thread_level);
    return 0;
}

static void end_job(int code)
{
    char why[1100];
    snprintf(why, sizeof why, "%s: %s", tutti_strerror(code), tutti_error_detail());
    tutti_abort(1, why);
}

static int check_errors(int errors)
{
    if (errors == TUTTI_ERRORS_RETURN || errors == TUTTI_ERRORS_FATAL) return 0;
    return tti_fail(TUTTI_ERR_ARG, "tutti_init: errors is %d, none of TUTTI_ERRORS_*", errors);
}

int tutti_init(tutti_comm **world, const tutti_options *options)
{
    const int level = options != NULL ? options->thread_level : TUTTI_THREAD_SINGLE;
    if (world == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_init: world is NULL"));
    if (library.over)
        return tti_answer(tti_fail(TUTTI_ERR_STATE,
                                   "tutti_init: Tutti cannot be initialised again after tutti_finalize()"));
    const int errors = options != NULL ? options->errors : TUTTI_ERRORS_RETURN;
    if (library.count == 0) tti_answer_to(errors == TUTTI_ERRORS_FATAL ? end_job : NULL);
    int code = check_level(level);
    if (code == 0) code = check_errors(errors);
    if (code == 0 && library.count == 0) code = open_all(options, level);
    if (code < 0) return tti_answer(code);
    library.count++;
    *world = library.world;
    return 0;
}

int tutti_is_newcomer(void)
{
    return library.newcomer;
}

/* Delivers what was sent, then counts what the program forgot. */
static int wind_up(void)
{
    tti_lock();
    const int held = tti_requests_active.held;
    int code = tti_p2p_drain(tti_option_value(TTI_OPTION_FINALIZE_TIMEOUT), held > 0);
    tti_p2p_take_leave(tti_option_value(TTI_OPTION_FINALIZE_TIMEOUT));
    tti_unlock();
    if (held > 0)
        code = tti_fail(TUTTI_ERR_STATE, "tutti_finalize: requests still active: %d; wait for them before",
                        held);
    return code;
}

int tutti_finalize(void)
{
    int code = tti_check_open("tutti_finalize");
    if (code < 0) return tti_answer(code);
    if (--library.count > 0) return 0;
    code = wind_up();
    close_all();
    return tti_answer(code);
}

void tutti_check_failed(int code, const char *call, const char *file, int line)
{
    char why[1500];
    snprintf(why, sizeof why, "%s:%d: %s: %s: %s", file, line, call, tutti_strerror(code),
             tutti_error_detail());
    tutti_abort(1, why);
}

void tutti_abort(int code, const char *why)
{
    const int status = code >= 1 && code <= 255 ? code : 1;
    tti_pmi_abort(status, why);
    _exit(status);
}
