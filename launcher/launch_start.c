/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher/launch.h"
#include "launcher/launcher_report.h"
#include "launcher/process_ends.h"
#include "launcher/rank_environment.h"
#include "launcher/rank_spawn.h"
#include "launcher/reserve.h"
#include "runtime/base/process_room.h"

/* A limit of processes says only that there is one. */
static int explain_room(const tti_launch *launch, int rank)
{
    char room[TTI_PROCESS_ROOM];
    tti_process_room_describe(room);
    return tti_launcher_refuse(TTI_STATUS_USAGE, "cannot start rank %d of %d processes: %s; %s", rank,
                               launch->count, strerror(EAGAIN), room);
}

static int explain(const tti_launch *launch, int rank, int error, const char *step)
{
    const char *path = launch->paths[launch->program_of[rank]];
    if (error == EAGAIN) return explain_room(launch, rank);
    if (step[0] != '\0')
        return tti_launcher_refuse(TTI_STATUS_USAGE, "cannot start rank %d: %s: %s", rank, step,
                                   strerror(error));
    if (error == ENOEXEC)
        return tti_launcher_refuse(
            TTI_STATUS_NOT_EXECUTABLE,
            "%s is no program for this machine; a script needs a first line like #!/bin/sh", path);
    return tti_launcher_refuse(error == ENOENT ? TTI_STATUS_NOT_FOUND : TTI_STATUS_NOT_EXECUTABLE,
                               "cannot run %s: %s; check its interpreter and libraries", path,
                               strerror(error));
}

static int open_streams(tti_launch *launch, int rank, tti_spawn *spawn)
{
    const bool tagged = launch->command->tag_output;
    char out_tag[24] = "", err_tag[24] = "";
    if (tagged) snprintf(out_tag, sizeof out_tag, "[%d] ", rank);
    if (tagged) snprintf(err_tag, sizeof err_tag, "[%d!] ", rank);
    tti_rank *own = &launch->ranks[rank];
    const int status = tti_rank_output_open(&own->out, launch->out, out_tag, false, &spawn->out);
    return status != 0 ? status : tti_rank_output_open(&own->err, launch->err, err_tag, true, &spawn->err);
}

static void close_rank_end(int fd)
{
    if (fd > STDERR_FILENO) close(fd);
}

/* One rank, or another process that may be in the place of one; it is bound as that was. */
static int start_rank(tti_launch *launch, int rank, int place, tti_spawn spawn)
{
    int error = 0;
    const char *step = NULL;
    while (place >= launch->world)
        place = tti_reserve_place_of(place);
    spawn.cpus = place >= 0 ? tti_bindings_of(&launch->bindings, place) : NULL;
    spawn.cpus_bytes = launch->bindings.set_bytes;
    spawn.out = spawn.err = -1;
    int status = open_streams(launch, rank, &spawn);
    if (status == 0) status = tti_server_environment(rank, &spawn.environment);
    if (status == 0) {
        const pid_t pid = tti_rank_spawn(&spawn, &error, &step);
        if (pid < 0) {
            status = explain(launch, rank, error, step);
        } else {
            launch->ranks[rank].pid = launch->session.groups[rank] = launch->session.pids[rank] = pid;
            launch->running++;
            tti_ends_watch(launch->ends, pid);
        }
    }
    tti_strings_free(spawn.environment);
    close_rank_end(spawn.out);
    close_rank_end(spawn.err);
    return status;
}

static void report_binding(tti_launch *launch, int rank)
{
    char cpus[256];
    tti_bindings_text(&launch->bindings, rank, cpus, sizeof cpus);
    if (launch->bindings.sets == NULL) {
        tti_launch_say(launch, "rank %d is not bound", rank);
    } else {
        tti_launch_say(launch, "rank %d is bound to %s %d: processors %s", rank, launch->bindings.kind,
                       rank % launch->bindings.places, cpus);
    }
}

/* In the place of a rank, or in none's: -1. */
static int start_process(tti_launch *launch, int process, int place, int in)
{
    const tti_program *program = &launch->command->programs[launch->program_of[process]];
    tti_spawn spawn = {.path = launch->paths[launch->program_of[process]],
                       .arguments = program->arguments,
                       .wdir = program->wdir,
                       .in = in,
                       .signals = &launch->user_signals,
                       .files = &launch->files};
    const int status = tti_environment_make(program, &spawn.environment);
    return status != 0 ? status : start_rank(launch, process, place, spawn);
}

int tti_launch_start_for(tti_launch *launch, int process, int place)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    launch->program_of[process] = launch->program_of[place];
    const int status = start_process(launch, process, place, nothing);
    close_rank_end(nothing);
    return status;
}

int tti_launch_start(tti_launch *launch)
{
    int status = 0;
    tti_launch_take_all_files(launch);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int first_in = nothing;
    tti_input_open(&launch->input, &first_in);
    for (int i = 0; i < launch->world && status == 0; i++) {
        if (launch->command->report_bindings) report_binding(launch, i);
        status = start_process(launch, i, i, i == 0 ? first_in : nothing);
    }
    for (int i = 0; i < launch->command->spares && status == 0; i++)
        status = start_process(launch, launch->world + i, -1, nothing);
    close_rank_end(first_in);
    close_rank_end(nothing);
    return status;
}
