/* SPDX-License-Identifier: BSD-3-Clause */
/* A terminal that is not that of our session, and from which another process may read first. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "launcher/terminal_input.h"
#include "tests/patience.h"
#include "tests/unit/expect.h"

static int make_terminal(void)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    EXPECT(slave >= 0 && dup2(slave, STDIN_FILENO) == STDIN_FILENO);
    close(slave);
    return master;
}

int main(void)
{
    tti_input input;
    bool to_write;
    char text[8];
    int rank_end = -1;
    const int master = make_terminal();
    alarm(PATIENCE_S); /* a read that waits would do so for ever */
    tti_input_open(&input, &rank_end);
    EXPECT(input.pipe >= 0 && rank_end > STDIN_FILENO);
    EXPECT((fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK) == 0);
    const int terminal = tti_input_wants(&input, &to_write);
    EXPECT(terminal >= 0 && !to_write && !tti_input_awaits_foreground(&input));
    tti_input_move(&input); /* somebody else has taken what was there */
    EXPECT(tti_input_wants(&input, &to_write) == terminal && !to_write);
    EXPECT(write(master, "line\n", 5) == 5);
    struct pollfd there = {.fd = terminal, .events = POLLIN};
    EXPECT(poll(&there, 1, -1) == 1);
    tti_input_move(&input);
    EXPECT(read(rank_end, text, sizeof text) == 5);
    tti_input_close(&input);
    EXPECT(tti_input_wants(&input, &to_write) < 0);
    EXPECT(read(rank_end, text, sizeof text) == 0);
    EXPECT(fcntl(STDIN_FILENO, F_GETFL) >= 0);
    close(rank_end);
    close(master);
    return 0;
}
