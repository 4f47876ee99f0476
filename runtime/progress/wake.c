/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/wake.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/status.h"
#include "runtime/node/bell.h"
#include "runtime/peers/peers.h"
#include "runtime/progress/lock.h"
#include "tutti/error.h"

tti_sleepers tti_asleep = {.event_fd = -1};

int tti_sleep_open(void)
{
    if (tti_peers.fabric == NULL) return 0;
    tti_asleep.event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (tti_asleep.event_fd < 0) return tti_fail_errno(TUTTI_ERR_SYSTEM, errno, "eventfd() for waking up");
    return 0;
}

void tti_sleep_close(void)
{
    if (tti_asleep.event_fd >= 0) close(tti_asleep.event_fd);
    tti_asleep.event_fd = -1;
}

void tti_sleep_interrupt(void)
{
    const uint64_t one = 1;
    if (tti_peers.node != NULL) tti_node_wake(tti_peers.node);
    /* A full counter is as good as one more. */
    if (tti_asleep.event_fd >= 0 && write(tti_asleep.event_fd, &one, sizeof one) < 0) return;
}

void tti_sleep_notify(void)
{
    if (tti_asleep.others > 0) tti_lock_wake_all();
    if (tti_asleep.watcher_sleeps) tti_sleep_interrupt();
}
