/* SPDX-License-Identifier: BSD-3-Clause */
/* A bounded wait of a rank that does not run until the time is over looks once more before it gives up. */
#include <unistd.h>

#include "runtime/base/options.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/progress.h"
#include "tests/unit/expect.h"
#include "tutti/error.h"
#include "tutti/types.h"

#define TIME_NS 20000000
#define STALL_US 30000

static int looks;

/* A round looks twice, and in the second look the rank is held up. */
static bool comes_meanwhile(const void *argument)
{
    const int *from = argument;
    looks++;
    if (looks == 2) usleep(STALL_US);
    return looks >= *from;
}

static int wait_from_look(int from)
{
    looks = 0;
    return tti_wait_for(comes_meanwhile, &from, "the test", TIME_NS);
}

int main(void)
{
    const tti_protocols none = {0};
    const int never = 1 << 30;
    tti_progress_open(&none);
    tti_list_init(&tti_peers.blocked);
    EXPECT(tti_options_load(NULL) == 0);
    EXPECT(tti_wait_open(1) == 0);
    EXPECT(wait_from_look(1) == 0);
    EXPECT(wait_from_look(3) == 0);
    EXPECT(wait_from_look(never) == TUTTI_ERR_TIMEOUT);
    tti_wait_close();
    tti_options_unload();
    return 0;
}
