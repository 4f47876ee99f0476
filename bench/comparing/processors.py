# SPDX-License-Identifier: BSD-3-Clause
"""The processors that may be used here, and which of them are of one core."""
import os


def cores_apart():
    """The processors of each core that may be used, as taskset -c takes them."""
    cores = []
    for processor in sorted(os.sched_getaffinity(0)):
        try:
            with open("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list" % processor, encoding="ascii") as file:
                core = file.read().strip()
        except OSError:
            core = str(processor)
        cores += [core] if core not in cores else []
    return cores
