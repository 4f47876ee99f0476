# SPDX-License-Identifier: BSD-3-Clause
# Ranks whose launcher dies. To be sourced by launcher_case.

# What two ranks of an mpirun that is killed write goes to err.RANK, and how they end to status.RANK. An argument: as
# mpirun starts them.
orphan() {
    command -v mpirun.openmpi >/dev/null || { echo "skipped: Open MPI is not installed"; exit 77; }
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    unset SLURM_JOB_ID
    rm -f status.* go
    : >err.0
    : >err.1
    mpirun.openmpi --oversubscribe -n 2 sh -c 'exec 2>err.$PMIX_RANK; "$@"; echo $? >status.$PMIX_RANK' sh "$@" >out 2>err &
    launcher=$!
    for rank in 0 1; do
        until grep -q "rank $rank is up" err.$rank; do
            kill -0 $launcher 2>/dev/null || fail "the ranks did not come up"
            sleep 0.05
        done
    done
    sleep 0.2 # rank 0 is in the barrier; if it is not yet, the test shows less
    kill -KILL $launcher
    wait $launcher 2>/dev/null
    rm -rf tmp/ompi.* # what Open MPI leaves
}
# in_time RANK COMMAND...: waits until it succeeds.
in_time() {
    who=$1
    shift
    for round in $(seq $((patience * 10))); do
        "$@" && return
        sleep 0.1
    done
    cp err.$who err
    fail "never of rank $who: $*"
}
ends_with() {
    in_time $1 test -s status.$1
    [ "$(cat status.$1)" = "$2" ] || { cp err.$1 err && fail "rank $1 ended with status $(cat status.$1), not $2"; }
}
all_end_with() {
    for rank in 0 1; do
        ends_with $rank $1
        says err.$rank 'error: the launcher is gone: process'
        grep -q 'went on' err.$rank && fail "rank $rank went on"
    done
    return 0
}
# Longer than a rank that is to end has for that.
live_on() {
    sleep 2
    : >go
    for rank in 0 1; do
        ends_with $rank 0
        says err.$rank "rank $rank went on"
    done
}
# Ranks of a launcher that dies without a guardian say so and end, in a call of the library and far from any.
case_orphans() {
    orphan "$orphan_acts" plain
    all_end_with 143
}
# Also those that do not heed SIGTERM; who does has a second.
case_orphans_stubborn() {
    orphan "$orphan_acts" stubborn
    all_end_with 137
    says err.1 'was asked to end'
}
# As the first process of a pid namespace a rank takes no signal of its own.
case_orphans_first() {
    unshare -p -f true 2>/dev/null || { echo "skipped: namespaces of processes are not to be had"; exit 77; }
    orphan unshare -p -f "$orphan_acts" plain
    all_end_with 137
}
# Who is to live on does so.
case_orphans_live() {
    export TUTTI_ORPHANS=live
    orphan "$orphan_acts" plain
    for rank in 0 1; do in_time $rank grep -q 'error: the launcher is gone: no news .*, kill [0-9]' err.$rank; done
    live_on
}
# Nor does who lives wait for ever, in tutti_init(), for a rank that has not come.
case_orphans_late() {
    export TUTTI_ORPHANS=live TUTTI_CONNECT_TIMEOUT=5s TUTTI_TRANSPORT=node
    orphan sh -c 'if [ $PMIX_RANK = 0 ]; then echo "rank 0 is up" >&2; until [ -e go ]; do sleep 0.05; done
                  else "$0" plain 2>&1 | sed -u "s/waits in tutti_init() for rank 0/rank 1 is up: &/" >&2; fi' "$orphan_acts"
    in_time 1 grep -q 'the launcher is gone: "tutti.node" of rank 0 cannot be asked for' err.1
    : >go
}
# Who has left the job does so too, though its connection, which another library may use, is still there.
case_orphans_left() {
    orphan "$acts" left
    live_on
}
# Only the end of its own connection tells a rank that its launcher is gone.
case_rumours() {
    expect 143 $run -n 1 "$acts" rumours
    says out 'lives on'
    says err 'error: the launcher is gone: process'
}
