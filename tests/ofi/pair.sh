# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of the ping-pongs on libfabric alone; to be sourced. Both sides run on this machine, on a port that
# is free; $work is a folder of the test's own.
. "$(dirname "$0")/../patience.sh"
work=$(mktemp -d)
server=

finish_test() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    rm -rf "$work"
}
trap finish_test EXIT

# fail WHAT: shows what both sides said.
fail() {
    echo "FAILED: $*" >&2
    tail -n +1 "$work"/*.out >&2
    exit 1
}

# skip_without PROGRAM PROVIDER: where libfabric has no such endpoints here, there is nothing to test.
skip_without() {
    local kind=FI_EP_RDM
    case $1 in *_msg) kind=FI_EP_MSG ;; esac
    command -v fi_info >/dev/null || return 0
    fi_info -p "$2" -t $kind >/dev/null 2>&1 || { echo "skipped: provider $2 has no $kind here"; exit 77; }
}

# start_server COMMAND...: in the background; $server is its process and $port where it listens.
start_server() {
    : >"$work/server.out" # so that an older server's port is not taken for this one's
    patiently "$@" -b 0 >"$work/server.out" 2>&1 &
    server=$!
    local waited=0
    port=
    until port=$(sed -n 's/^listening on port //p' "$work/server.out") && [ -n "$port" ]; do
        kill -0 "$server" 2>/dev/null || fail "the server ended: $*"
        waited=$((waited + 1))
        [ $waited -lt $((patience * 20)) ] || fail "the server does not listen: $*"
        sleep 0.05
    done
}

# end_server: waits for it; $status is its exit status.
end_server() {
    status=0
    wait "$server" || status=$?
    server=
}

# refuses WORDS COMMAND...: the command ends by itself with status 1 or 2 and a line that has the words.
refuses() {
    local words=$1 status=0
    shift
    patiently "$@" >"$work/client.out" 2>&1 </dev/null || status=$?
    [ $status = 1 ] || [ $status = 2 ] || fail "status $status of: $*"
    grep -qF -- "$words" "$work/client.out" || fail "no line with '$words' from: $*"
}
