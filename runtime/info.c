/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what tutti_info() tells from the parts that know it. */
#include "tutti/info.h"

#include <inttypes.h>
#include <stdio.h>

#include "collectives/select/select.h"
#include "pmi/pmi.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/fabric/survey.h"
#include "runtime/machine/machine_tell.h"
#include "runtime/progress/lock.h"
#include "runtime/topology/describe.h"
#include "tutti/init.h"

#define VALUE_BYTES 512

static void tell_number(tutti_info_fn *tell, void *context, const char *subject, const char *what,
                        int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    tell(subject, what, text, context);
}

static int tell_limits(tutti_info_fn *tell, void *context)
{
    tell_number(tell, context, "ranks", "most", INT32_MAX);
    tell_number(tell, context, "tags", "largest", TUTTI_TAG_MAX);
    tell_number(tell, context, "communicators", "most made in a job, times ranks",
                INT64_C(1) << TTI_COMM_CONTEXT_BITS);
    tell_number(tell, context, "message", "most bytes", INT64_MAX);
    return 0;
}

static const char *const origins[] = {[TTI_ORIGIN_DEFAULT] = "default",
                                      [TTI_ORIGIN_PROGRAM] = "program",
                                      [TTI_ORIGIN_ENVIRONMENT] = "environment"};

static void tell_option(enum tti_option option, tutti_info_fn *tell, void *context)
{
    const tti_option_row *row = tti_option_describe(option);
    char subject[64], value[VALUE_BYTES], takes[VALUE_BYTES];
    snprintf(subject, sizeof subject, "TUTTI_%s", row->name);
    tell(subject, "help", row->help, context);
    const char *text = tti_option_text(option);
    snprintf(value, sizeof value, "%s%s(%s)", text, text[0] != '\0' ? " " : "",
             origins[tti_option_where(option)]);
    tell(subject, "value", value, context);
    tell(subject, "default", row->initial, context);
    tti_option_takes(row, takes, sizeof takes);
    tell(subject, "takes", takes, context);
    if (row->ranks == TTI_RANKS_ALIKE) tell(subject, "ranks", "the same at all", context);
}

static int tell_options(tutti_info_fn *tell, void *context)
{
    for (int i = 0; i < TTI_OPTION_COUNT; i++)
        tell_option((enum tti_option)i, tell, context);
    return 0;
}

static int tell_versions(tutti_info_fn *tell, void *context)
{
    tell("tutti", "version", tutti_version(), context);
    tell("PMIx", "version", tti_pmi_version(), context);
    tti_topology_tell_version(tell, context);
    return tti_fabric_tell_version(tell, context);
}

static int tell_topic(int topic, int ranks, tutti_info_fn *tell, void *context)
{
    switch (topic) {
    case TUTTI_INFO_VERSIONS: return tell_versions(tell, context);
    case TUTTI_INFO_LIMITS: return tell_limits(tell, context);
    case TUTTI_INFO_OPTIONS: return tell_options(tell, context);
    case TUTTI_INFO_TOPOLOGY: return tti_topology_tell(tell, context);
    case TUTTI_INFO_PROVIDERS: return tti_fabric_tell_providers(tell, context);
    case TUTTI_INFO_INTERFACE: return tti_fabric_tell_choice(tell, context);
    case TUTTI_INFO_ALGORITHMS: return tti_select_tell(ranks, tell, context);
    case TUTTI_INFO_MACHINE: return tti_machine_tell(tell, context);
    default: return tti_fail(TUTTI_ERR_ARG, "tutti_info: %d is no topic", topic);
    }
}

/* A job has its options and rules, which one rank must not change alone. */
static int tell_in_job(int topic, int ranks, tutti_info_fn *tell, void *context)
{
    tti_lock();
    const int code = tell_topic(topic, ranks, tell, context);
    tti_unlock();
    return code;
}

static int tell_alone(int topic, int ranks, tutti_info_fn *tell, void *context)
{
    int code = tti_options_load(NULL);
    if (code == 0) code = tti_select_open();
    if (code == 0) code = tell_topic(topic, ranks, tell, context);
    tti_select_close();
    tti_options_unload();
    return code;
}

int tutti_info(int topic, int ranks, tutti_info_fn *tell, void *context)
{
    if (tell == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_info: no function to tell"));
    if (ranks < 1)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_info: a communicator of %d ranks", ranks));
    return tti_answer((tti_is_open ? tell_in_job : tell_alone)(topic, ranks, tell, context));
}
