# SPDX-License-Identifier: BSD-3-Clause
# How a job starts, and what is refused. To be sourced by launcher_case.

case_start() {
    expect 0 $run -n 5 "$acts" meet
    expect 0 $run "$acts" meet
    expect 0 $run -n 16 "$acts" meet
}
# Another user knows all that ps, a listing of TMPDIR and /proc/net/tcp show, and more: what the ranks' environment
# holds but for the job's name. He neither joins the job nor aborts it nor reads of it, and it goes on.
case_intruder() {
    [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || { echo "skipped: only root can be another user"; exit 77; }
    chmod 755 "$work" tmp
    install -m 755 "$(dirname "$acts")/intruder" intruder
    other="timeout 30 setpriv --reuid=65534 --regid=65534 --clear-groups env -i"
    $other ./intruder >out 2>&1
    [ $? = 2 ] || { echo "skipped: the other user cannot run a program in $work"; exit 77; }
    : >out
    "$tuttirun" -n 2 sh -c 'env | grep ^PMIX_ >seen.$PMIX_RANK; echo up; until [ -e go ]; do sleep 0.05; done; exec "$0" meet' "$acts" >out 2>err &
    launcher=$!
    until [ "$(grep -c up out)" = 2 ]; do
        kill -0 $launcher 2>/dev/null || fail "the ranks did not come up"
        sleep 0.05
    done
    seen=$(grep -v -e '^PMIX_NAMESPACE=' -e '^PMIX_RANK=' seen.0)
    address=$(sed -n 's/^PMIX_SERVER_URI[0-9]*=//p' seen.0 | head -1)
    folder=$(cd tmp && echo tuttirun.*)
    ps -eo args >ps
    name=$(sed -n 's/^PMIX_NAMESPACE=//p' seen.0)
    for readable in ps /proc/net/tcp /proc/net/tcp6 /proc/net/unix; do ! grep -q "$name" $readable || fail "the job's name stands in $readable"; done
    $other sh -c 'ls "tmp/$1" || cat "/proc/$2/environ"' - "$folder" $launcher >intrusion 2>&1 && fail "another user reads $folder or the environment"
    for guess in "tuttirun-$launcher-${folder#tuttirun.}" "tuttirun-$launcher" tuttirun "$folder" pmix-server "pmix-server.$launcher" ""; do
        $other $seen PMIX_NAMESPACE="$guess" PMIX_RANK=1 ./intruder 0 client >intrusion 2>&1 && fail "another user joins as $guess: $(cat intrusion)"
    done
    $other $seen ./intruder 0 tool "$address" >intrusion 2>&1 && fail "another user gets in as a tool: $(cat intrusion)"
    touch go
    wait $launcher || fail "status $? of a job that others tried to get into"
    chmod 700 tmp
}
case_mpmd() {
    expect 0 $run --tag-output -n 1 sh -c 'echo a $#' : -n 2 -x WHAT=b --wdir / sh -c 'echo $WHAT $PWD'
    says out '[0] a 0'
    says out '[2] b /'
    expect 2 $run -n 1 true : true
    says err 'true has no -n'
}
case_export() {
    expect 0 env SEEN=1 $run -n 1 -x SEEN -x "OTHER=a b" sh -c 'echo "$SEEN/$OTHER"'
    says out '1/a b'
    expect 2 $run -x UNSET_VARIABLE true
    says err 'write -x UNSET_VARIABLE=value'
}
case_wdir() {
    mkdir 'a dir'
    printf '#!/bin/sh\npwd\n' >'a dir/here'
    chmod +x 'a dir/here'
    expect 0 $run -n 1 --wdir 'a dir' ./here
    says out 'a dir'
    expect 2 $run --wdir /no/such/place true
    says err '/no/such/place'
}
# A program that is executable, but not for this user or not here.
case_refusals_by_right() {
    printf '#!/bin/sh\n' >mine
    chmod 700 mine
    chmod 755 "$work"
    other="setpriv --reuid=65534 --regid=65534 --clear-groups"
    if $other "$tuttirun" --version >/dev/null 2>&1; then
        expect 126 $other $run -n 2 ./mine
        says err 'mine may not be run by user 65534 (its mode is 700)'
        # What lies in a directory of PATH that may not be entered is not there; a path that was written is told from that.
        mkdir -m 700 locked
        expect 127 $other env PATH="$work/locked:$PATH" $run -n 2 no-such-program
        says err 'there is no program no-such-program in PATH'
        expect 126 $other $run -n 2 locked/program
        says err 'locked/program cannot be reached: Permission denied'
    fi
    unshare -m true 2>/dev/null || return 0
    mkdir -p small
    expect 126 unshare -m sh -c 'mount -t tmpfs -o noexec tmpfs small && cp mine small && exec "$@"' sh $run -n 2 small/mine
    says err 'small/mine is on a file system that is mounted noexec'
}
case_refusals() {
    expect 127 $run -n 2 no-such-program
    says err 'tuttirun: there is no program no-such-program in PATH'
    [ "$(wc -l <err)" = 1 ] || fail "more than one line"
    expect 126 $run -n 2 /etc/passwd
    says err 'not an executable file'
    expect 126 $run -n 2 /etc
    says err '/etc is a directory'
    if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then case_refusals_by_right; fi
    printf 'x' >script
    chmod +x script
    expect 126 $run -n 2 ./script
    printf '#!/no/such/interpreter\n' >script
    expect 127 $run -n 2 ./script
    expect 2 $run -n 0 true
    expect 2 $run -n many true
    expect 2 $run --tagoutput true
    says err 'did you mean --tag-output?'
    expect 2 $run
    expect 2 env TMPDIR=/no/such/place $run true
    says err 'set TMPDIR'
    expect 2 $run --bind-to core -n 65536 true
    expect 2 $run --spares 65536 true # and one for each core
    says err ' processes in all; at most 65536 are possible'
    expect 2 sh -c 'ulimit -n 64; exec "$@"' - $run -n 24 "$acts" meet
    says err 'open files for 24 processes (4 for each, and '
    says err ', and may have 64: raise the hard limit (ulimit -Hn) or start fewer'
    if unshare -n true 2>/dev/null; then # only root may
        expect 2 unshare -n $run -n 2 true
        says err 'ip link set lo up'
    fi
    echo 'a b c' >hosts
    expect 2 $run --hostfile hosts true
    says err 'hosts line 1'
}
# Too small a limit of processes and threads: the launcher or a rank names it. What has ended and is not reaped counts, so
# each limit is of another user.
case_few_processes() {
    [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && command -v bash >/dev/null || { echo "skipped: root has no such limit, and only root can be another user"; exit 77; }
    chmod 755 "$work"
    chmod 1777 tmp
    as_user="setpriv --reuid=65531 --regid=65531 --clear-groups"
    few=0
    $as_user "$tuttirun" --version >/dev/null 2>&1 || { echo "skipped: the other user cannot run what is built here"; exit 77; }
    for most in 2 4 6 8 40; do
        user=$((65460 + most))
        timeout -k 5 $patience setpriv --reuid=$user --regid=$user --clear-groups \
            bash -c 'ulimit -c 0; ulimit -u $0; exec "$@"' $most "$tuttirun" -n 2 "$acts" meet >out 2>err
        got=$?
        [ $got = 0 ] && break
        few=$((few + 1))
        [ $got -lt 124 ] || fail "status $got with $most processes"
        says err "user $user may have $most processes and threads (ulimit -u"
    done
    [ $got = 0 ] || fail "status $got with $most processes"
    [ $few -gt 1 ] || fail "no limit was too small"
}
# Too few descriptors: no job directory is left behind, and PMIx, which crashes then, is not started.
case_few_files() {
    command -v prlimit >/dev/null || { echo "skipped: prlimit(1) is not installed"; exit 77; }
    exec 3>&- 4>&- 5>&- 6>&- # what a test is started with
    for most in 6 8 10 12 14 16 20 24; do
        expect 2 prlimit --nofile=$most:$most $run -n 2 "$acts" meet
        says err "open files for 2 processes (4 for each, and "
        [ -z "$(ls -A tmp)" ] || fail "left with $most descriptors: $(ls -A tmp)"
    done
    expect 0 prlimit --nofile=6:64 $run -n 2 sh -c 'exec true'
    for most in 28 30 31 32 33 34 35 36 37 38 39 40 44 48; do # where it begins differs with what was inherited
        prlimit --nofile=$most:$most $run -n 2 "$acts" meet >out 2>err
        got=$?
        [ $got = 0 ] && break
        [ $got = 2 ] && grep -q 'open files for 2 processes' err || fail "status $got with $most descriptors"
    done
    [ $got = 0 ] || fail "status $got with $most descriptors"
}
case_bindings() {
    expect 0 $run --bind-to core --report-bindings -n 1 sh -c 'grep Cpus_allowed_list /proc/self/status'
    says err 'rank 0 is bound to core 0: processors '
    bound=$(sed 's/.*processors //' err)
    [ "$(sed 's/.*:[[:space:]]*//' out)" = "$bound" ] || fail "bound to something else"
    expect 0 $run --bind-to none --report-bindings -n 1 true
    says err 'rank 0 is not bound'
    case_bindings_of_quota
}
# Where a cgroup gives the time of one processor at most one rank is started, however many cores there are, and two are not bound.
case_bindings_of_quota() {
    unshare -m true 2>/dev/null || return 0 # only root may
    with_quota() { unshare -m sh -c 'mount -t tmpfs tmpfs /sys/fs/cgroup && echo 70000 100000 >/sys/fs/cgroup/cpu.max && exec "$@"' sh "$@"; }
    expect 0 with_quota $run --report-bindings echo one
    [ "$(wc -l <out)" = 1 ] || fail "more ranks than there is time for"
    says err 'rank 0 is bound to core 0: '
    expect 0 with_quota $run --report-bindings -n 2 true
    says err 'rank 1 is not bound'
}
