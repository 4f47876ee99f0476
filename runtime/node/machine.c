/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/node/machine.h"

#include <stdio.h>

#include "runtime/base/options.h"
#include "runtime/node/figures_file.h"
#include "runtime/node/machine_measure.h"

/* So many jobs after a boot measure, and the best counts: the first one may have run while the machine was
 * busy. */
#define SAMPLES 16

/* A measurement takes about a millisecond, but on a busy machine its two threads may wait for processors,
 * both at a time, for many times as long. A figure that no job has had yet is worth that, since without it
 * the ways are those of another machine; one more sample is not. */
#define PATIENT_NS 40000000
#define HASTY_NS 5000000

/* Times of a program that sanitizers slow down are none of the machine. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SLOWED true
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SLOWED true
#endif
#ifndef SLOWED
#define SLOWED false
#endif

static void take_given(tti_machine *machine, const char *text)
{
    char why[160];
    tti_figures given = tti_figures_unknown();
    tti_figures_parse(text, &given, why, sizeof why); /* checked when the options were loaded */
    machine->figures = tti_figures_completed(&given);
    snprintf(machine->origin, sizeof machine->origin, "TUTTI_MACHINE, the rest typical");
}

static void measure_once_more(tti_kept_figures *kept)
{
    const bool lacks = kept->samples == 0 || !tti_figures_whole(&kept->figures);
    const tti_figures now = tti_machine_measure(lacks ? PATIENT_NS : HASTY_NS);
    kept->figures = kept->samples > 0 ? tti_figures_merge(&kept->figures, &now) : now;
    kept->samples++;
}

void tti_machine_learn(tti_machine *machine)
{
    char path[TTI_FIGURES_PATH], boot[TTI_FIGURES_BOOT];
    const char *given = tti_option_text(TTI_OPTION_MACHINE);
    tti_kept_figures kept = {.samples = 0};
    if (given[0] != '\0') {
        take_given(machine, given);
        return;
    }
    const bool keeps = tti_figures_file_boot(boot) && tti_figures_file_place(path) && !SLOWED;
    if (keeps && !tti_figures_file_read(path, boot, &kept)) kept.samples = 0;
    const bool enough = kept.samples >= SAMPLES && tti_figures_whole(&kept.figures);
    if (!enough) measure_once_more(&kept);
    const bool written = keeps && !enough && tti_figures_file_write(path, boot, &kept);
    machine->figures = tti_figures_completed(&kept.figures);
    snprintf(machine->origin, sizeof machine->origin, "best of %d measurement%s %s%s", kept.samples,
             kept.samples == 1 ? "" : "s", enough || written ? "since the last boot, kept in " : "just now",
             enough || written ? path : "");
}

tti_crossings tti_machine_crossings(const tti_figures *figures)
{
    const int64_t least = tti_option_value(TTI_OPTION_SINGLE_LEAST);
    tti_crossings crossings = tti_crossings_of(figures);
    if (least != TTI_OPTION_AUTO) tti_crossings_force(&crossings, (size_t)least);
    return crossings;
}
