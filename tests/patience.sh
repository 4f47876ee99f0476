# SPDX-License-Identifier: BSD-3-Clause
# Shared by test scripts; to be sourced. A test fails on wrong results and on no progress, never because a machine is
# slow: one job, usually of a second or two, is given this many seconds before its not ending counts as a hang. Beside
# other work it may get a small part of a processor, so that one which computes for ever is better told by the
# processor seconds that a process of it has used. What waits inside a job is given less (patience.h), so that it can still
# say what it waits for.
patience=1200
patience_processor=300

# patiently COMMAND...: runs it for that long at most; status 124 or 137 if it was ended.
patiently() {
    timeout -k 5 "$patience" "$@"
}
