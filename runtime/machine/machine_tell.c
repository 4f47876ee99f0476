/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/machine_tell.h"

#include <inttypes.h>
#include <stdio.h>

#include "runtime/base/options.h"
#include "runtime/base/parse.h"
#include "runtime/machine/machine.h"

#define TEXT_BYTES 160

typedef struct {
    tutti_info_fn *tell;
    void *context;
} listener;

static void tell_figure(const listener *l, enum tti_figure figure, int64_t value)
{
    const tti_figure_row *row = tti_figure_describe(figure);
    char name[32], text[TEXT_BYTES];
    size_t i = 0;
    for (; row->name[i] != '\0' && i + 1 < sizeof name; i++)
        name[i] = tti_lower(row->name[i]);
    name[i] = '\0';
    if (value == TTI_FIGURE_NONE)
        snprintf(text, sizeof text, "the kernel %s",
                 figure == TTI_FIGURE_CACHE ? "does not tell" : "refuses");
    else
        snprintf(text, sizeof text, "%" PRId64 " %s", value, row->unit);
    l->tell(name, "value", text, l->context);
    l->tell(name, "measured", row->what, l->context);
}

static void print_size(size_t bytes, char *text, size_t room)
{
    char even[32];
    if (bytes == TTI_CROSSING_NEVER) {
        snprintf(text, room, "never");
    } else if (bytes >= 1024 && bytes % 1024 == 1) { /* "from 6k + 1 on" is "above 6k" */
        tti_print_size(bytes - 1, even, sizeof even);
        snprintf(text, room, "%s + 1", even);
    } else {
        tti_print_size(bytes, text, room);
    }
}

static void tell_size(const listener *l, const char *subject, const char *what, size_t bytes)
{
    char text[TEXT_BYTES];
    print_size(bytes, text, sizeof text);
    l->tell(subject, what, text, l->context);
}

static void tell_messages(const listener *l, const tti_crossings *c)
{
    static const char subject[] = "messages between ranks of the node";
    const int64_t most = tti_option_value(TTI_OPTION_EAGER_NODE);
    const size_t eager_most = most == TTI_OPTION_AUTO ? c->eager_most : (size_t)most;
    tell_size(l, subject, "at once up to", c->eager_sure < eager_most ? c->eager_sure : eager_most);
    tell_size(l, subject, "if crowded", eager_most);
    tell_size(l, subject, "fetched from", c->fetch);
    tell_size(l, subject, "if crowded", c->fetch_shared);
    tell_size(l, subject, "by both from", c->help);
}

static void tell_collectives(const listener *l, const tti_crossings *c)
{
    static const struct {
        const char *name;
        enum tti_crossing_collective collective;
    } rows[] = {{"bcast", TTI_CROSSING_BCAST},
                {"reduce", TTI_CROSSING_REDUCE},
                {"allreduce", TTI_CROSSING_ALLREDUCE},
                {"allgather", TTI_CROSSING_ALLGATHER},
                {"edges", TTI_CROSSING_EDGES}};
    static const char few[] = "collectives of two ranks", many[] = "collectives of more ranks";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char what[32];
        snprintf(what, sizeof what, "%s copies", rows[i].name);
        tell_size(l, few, what, c->single[rows[i].collective]);
    }
    tell_size(l, many, "part copies", c->single_part);
    l->tell(many, "kernel is quick", c->quick ? "yes: one copy, if crowded, too" : "no", l->context);
}

int tti_machine_tell(tutti_info_fn *tell, void *context)
{
    const listener l = {tell, context};
    tti_machine machine;
    tti_machine_learn(&machine);
    tell("figures", "origin", machine.origin, context);
    for (int i = 0; i < TTI_FIGURES; i++)
        tell_figure(&l, (enum tti_figure)i, machine.figures.value[i]);
    const tti_crossings crossings = tti_machine_crossings(&machine.figures);
    tell_messages(&l, &crossings);
    tell_collectives(&l, &crossings);
    return 0;
}
