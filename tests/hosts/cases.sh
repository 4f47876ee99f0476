# SPDX-License-Identifier: BSD-3-Clause
# Shared by the scripts that run cases inside with-hosts; to be sourced. Sets $folder, $out and $failures.
. "$(dirname "$0")/../patience.sh"
failures=0
folder=$(mktemp -d)
out=$folder/out
trap 'rm -rf "$folder"' EXIT

wrong() {
    echo "FAILED: $*; output:"
    cat "$out"
    failures=1
}

# run COMMAND...: sets $status and $ms; 124 is a hang.
run() {
    local began=${EPOCHREALTIME/./}
    patiently "$@" >"$out" 2>&1 </dev/null
    status=$?
    ms=$(((${EPOCHREALTIME/./} - began) / 1000))
}

# refused WHAT PATTERN COMMAND...: fails, and one line says all of the pattern.
refused() {
    local what=$1 pattern=$2
    shift 2
    run "$@"
    if [ "$status" = 0 ] || [ "$status" = 124 ] || ! grep -qE "$pattern" "$out"; then
        wrong "$what: status $status after $ms ms, wanted a line with \"$pattern\""
    else
        echo "$what: status $status after $ms ms: $(grep -m1 -E "$pattern" "$out" | cut -c 1-300)"
    fi
}

on_host() { # NUMBER COMMAND...: in its network alone
    ip netns exec "$HOSTS_RUN-$1" "${@:2}"
}

# processes_of NAME [HOST]...: those that are called so and have not ended, on these hosts or on all.
processes_of() {
    local name=$1 host pid
    shift
    # shellcheck disable=SC2046
    [ $# -gt 0 ] || set -- $(seq "$HOSTS_COUNT")
    for host in "$@"; do
        for pid in $(ip netns pids "$HOSTS_RUN-$host"); do
            [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$name" ] || grep -q 'State:.Z' "/proc/$pid/status" 2>/dev/null || echo "$pid"
        done
    done
}

# No process but those that were there before (see remember_processes) on any host, and no file of Tutti's.
processes() {
    for k in $(seq "$HOSTS_COUNT"); do ip netns pids "$HOSTS_RUN-$k"; done | sort >"$folder/$1"
}
remember_processes() { processes before; }
expect_nothing_left() { # WHAT
    local pid names=''
    for _ in $(seq $((patience * 10))); do
        processes after
        names=
        for pid in $(comm -13 "$folder/before" "$folder/after"); do
            [ ! -r "/proc/$pid/comm" ] || names+=" $(cat "/proc/$pid/comm" 2>/dev/null)"
        done
        # Those of this very look.
        names=$(tr ' ' '\n' <<<"$names" | grep -vxE '|ip|sort|cases.sh|check-.*|seq|bash' | tr '\n' ' ')
        [ -n "$names" ] || break
        sleep 0.1
    done
    [ -z "$names" ] || wrong "$1: processes left: $names"
    names=$(find "$TMPDIR" /dev/shm -maxdepth 2 -newer "$folder/before" -name '*tutti*' ! -path "$TMPDIR" 2>/dev/null)
    [ -z "$names" ] || wrong "$1: files left: $names"
}
