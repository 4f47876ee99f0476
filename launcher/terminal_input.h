/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher's stdin for rank 0. A file or pipe is simply inherited; a terminal is read by the launcher and
 * passed on through a pipe, because a rank is not in the terminal's foreground process group and would be
 * stopped for reading it. */
#ifndef TTI_LAUNCHER_TERMINAL_INPUT_H
#define TTI_LAUNCHER_TERMINAL_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int terminal; /* what is read: a reopening of our own, or stdin */
    int pipe;     /* write end of the pipe to rank 0, or -1: nothing is passed on */
    char data[4096];
    size_t start, used;
} tti_input;

/* Gives in *rank_end the descriptor that becomes rank 0's stdin; the caller closes it unless it is 0. */
void tti_input_open(tti_input *input, int *rank_end);
void tti_input_close(tti_input *input);
/* The descriptor to wait for: the terminal for reading, or the pipe for writing (*to_write). -1: none now. */
int tti_input_wants(const tti_input *input, bool *to_write);
/* The terminal would be read, but for our being in the background. A shell's fg gives it to us without a sign
 * (SIGCONT is for who is stopped): look again from time to time. */
bool tti_input_awaits_foreground(const tti_input *input);
/* Moves what it can. */
void tti_input_move(tti_input *input);

#endif
