/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/terminal_input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void tti_input_open(tti_input *input, int *rank_end)
{
    int ends[2];
    *input = (tti_input){.terminal = -1, .pipe = -1};
    if (!isatty(STDIN_FILENO) || pipe2(ends, O_CLOEXEC) != 0) {
        *rank_end = STDIN_FILENO;
    } else {
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        input->pipe = ends[1];
        /* Somebody else, a pager say, may take what we see is there: reading must not wait. O_NONBLOCK
         * belongs to the open file, which we share: open it again for ourselves, unless it is another user's.
         */
        const int own = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        input->terminal = own >= 0 ? own : STDIN_FILENO;
        *rank_end = ends[0];
    }
}

void tti_input_close(tti_input *input)
{
    if (input->pipe >= 0) close(input->pipe);
    if (input->terminal > STDIN_FILENO) close(input->terminal);
    input->terminal = input->pipe = -1;
}

/* A terminal that does not control our session has no foreground for us, and lets us read. */
static bool is_in_background(void)
{
    const pid_t front = tcgetpgrp(STDIN_FILENO);
    return front >= 0 && front != getpgrp();
}

int tti_input_wants(const tti_input *input, bool *to_write)
{
    *to_write = input->start < input->used;
    if (input->pipe < 0) return -1;
    if (*to_write) return input->pipe;
    /* In the background reading would stop us. */
    return is_in_background() ? -1 : input->terminal;
}

bool tti_input_awaits_foreground(const tti_input *input)
{
    return input->pipe >= 0 && input->start == input->used && is_in_background();
}

void tti_input_move(tti_input *input)
{
    if (input->start == input->used) {
        const ssize_t n = read(input->terminal, input->data, sizeof input->data);
        if (n <= 0) {
            if (n == 0 || (errno != EINTR && errno != EAGAIN)) tti_input_close(input);
            return;
        }
        input->start = 0;
        input->used = (size_t)n;
    }
    const ssize_t n = write(input->pipe, input->data + input->start, input->used - input->start);
    if (n >= 0) {
        input->start += (size_t)n;
    } else if (errno != EAGAIN && errno != EINTR) {
        tti_input_close(input); /* rank 0 does not read */
    }
}
