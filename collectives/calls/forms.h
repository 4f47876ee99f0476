/* SPDX-License-Identifier: BSD-3-Clause */
/* The three public forms of a collective, made of one line in its <name>.c:
 *
 *   TTI_FORMS(name, (parameters), .comm = comm, …)
 *
 * tutti_<name>(parameters), tutti_i<name>(parameters, request) and tutti_<name>_init(parameters, request);
 * what follows the parameters says which of tti_arguments each is. Before it stands TTI_CHECK(name), which
 * makes the contract's `check`. */
#ifndef TTI_CALLS_FORMS_H
#define TTI_CALLS_FORMS_H

#include "collectives/calls/call.h"
#include "collectives/calls/call_check.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

#define TTI_CHECK(collective)                                                                                \
    TTI_HOT static int check(tti_call *call, const char *function, const tti_arguments *arguments)           \
    {                                                                                                        \
        return tti_call_check(call, function, &tti_contract_##collective, arguments);                        \
    }

#define TTI_BARE(...) __VA_ARGS__

#define TTI_FORMS(collective, parameters, ...)                                                               \
    static const tti_request_kind nonblocking = {"tutti_i" #collective, NULL,           NULL,                \
                                                 tti_call_release,      tti_run_awaits, NULL};               \
    static const tti_request_kind persistent = {                                                             \
        "tutti_" #collective "_init", tti_call_start, NULL, tti_call_release, tti_run_awaits, NULL};         \
                                                                                                             \
    TTI_HOT int tutti_##collective(TTI_BARE parameters)                                                      \
    {                                                                                                        \
        tti_call call;                                                                                       \
        const tti_arguments given = {__VA_ARGS__};                                                           \
        return tti_answer(tti_call_block(check(&call, "tutti_" #collective, &given), &call));                \
    }                                                                                                        \
                                                                                                             \
    int tutti_i##collective(TTI_BARE parameters, tutti_request **request)                                    \
    {                                                                                                        \
        tti_call call;                                                                                       \
        const tti_arguments given = {__VA_ARGS__};                                                           \
        const int checked = check(&call, nonblocking.name, &given);                                          \
        return tti_answer(tti_call_request(checked, &call, &nonblocking, request));                          \
    }                                                                                                        \
                                                                                                             \
    int tutti_##collective##_init(TTI_BARE parameters, tutti_request **request)                              \
    {                                                                                                        \
        tti_call call;                                                                                       \
        const tti_arguments given = {__VA_ARGS__};                                                           \
        const int checked = check(&call, persistent.name, &given);                                           \
        return tti_answer(tti_call_request(checked, &call, &persistent, request));                           \
    }                                                                                                        \
    _Static_assert(1, "takes the semicolon")

#endif
