# SPDX-License-Identifier: BSD-3-Clause
# Shared by the scripts of this folder; to be sourced.

# The tools of administration are not on everybody's path.
PATH=$PATH:/usr/sbin:/sbin

# Exit status of CTest for "cannot run here".
skip() {
    echo "skipped: $*" >&2
    exit 77
}

need_root() {
    [ "$(id -u)" = 0 ] || skip "only root may do this: $*"
}

need_tools() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed (scripts/setup installs it)"
    done
}

# run_bounded SECONDS COMMAND...: runs it with this script's standard input, and in the background, because
# only then a signal to this script runs its traps at once. The status is in $status afterwards.
run_bounded() {
    local seconds=$1
    shift
    exec 3<&0
    setpriv --pdeathsig TERM timeout --kill-after=5 "$seconds" "$@" <&3 &
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    case $status in
    124 | 137) echo "${0##*/}: ended after the limit of $seconds s or killed: $*" >&2 ;;
    esac
}

# end_process PID: TERM, a second of grace, KILL.
end_process() {
    kill -TERM "$1" 2>/dev/null || return 0
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$1" 2>/dev/null || true
}
