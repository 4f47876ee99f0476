# SPDX-License-Identifier: BSD-3-Clause
# The end of the launcher, and what is left then. To be sourced by launcher_case.

# Who ends the launcher with everything below it, as CTest does, does not find the guardian.
kill_tree() {
    for child in $(ps -o pid= --ppid "$1"); do kill_tree "$child"; done
    kill -KILL "$1"
}
# Ranks with a grandchild in their group and one in a session of its own, and a file in /dev/shm that is called as
# libfabric calls a rank's.
busy='echo x >/dev/shm/$$:'$(id -u)':77; setsid sleep 999 & sleep 999 & echo up $$; sleep 999'
shm_files() { sed -n "s|^up \\(.*\\)|/dev/shm/\\1:$(id -u):77|p" out | xargs -r ls -d 2>/dev/null; }
start_busy() {
    : >out # what an earlier round left would be taken for this one's
    "$tuttirun" -n 2 sh -c "$busy" >out 2>err </dev/null &
    launcher=$!
    for round in $(seq $((patience * 20))); do
        [ "$(grep -c up out)" = 2 ] && return
        sleep 0.05
    done
    fail "the ranks did not come up"
}
case_kill_launcher() {
    for how in "kill -KILL" kill_tree; do
        start_busy
        $how $launcher
        wait $launcher 2>/dev/null
        nothing_left
        [ -z "$(shm_files)" ] || fail "left in /dev/shm: $(shm_files)"
    done
}
# A TMPDIR that is not a whole name is the launcher's, also for the guardian and for ranks that work elsewhere.
case_relative_tmpdir() {
    TMPDIR=tmp
    expect 0 $run -n 2 --wdir / "$acts" meet
    start_busy
    [ -n "$(ls -A tmp)" ] || fail "the job's directory is elsewhere"
    kill -KILL $launcher
    wait $launcher 2>/dev/null
    return 0
}
case_signal() {
    for signal in INT TERM HUP QUIT; do
        start_busy
        # A background job of a script ignores SIGINT and SIGQUIT and its children inherit that: TERM ends those.
        kill -$signal $launcher
        case $signal in INT | QUIT) sleep 0.1; kill -TERM $launcher ;; esac
        wait $launcher
        got=$?
        [ $got -gt 128 ] || fail "status $got after SIG$signal"
        says err "tuttirun: got signal $((got - 128)) ("
        nothing_left
        [ -z "$(shm_files)" ] || fail "left in /dev/shm: $(shm_files)"
    done
    : >out
    "$tuttirun" -n 2 sh -c 'trap "echo usr; exit 0" USR1; echo up; while :; do sleep 0.05; done' >out 2>err &
    launcher=$!
    until [ "$(grep -c up out)" = 2 ]; do sleep 0.05; done
    kill -USR1 $launcher
    wait $launcher || fail "status $? after SIGUSR1"
    [ "$(grep -c usr out)" = 2 ] || fail "SIGUSR1 was not forwarded"
}
# A signal that comes twice, as by a terminal that closes or by timeout(1), is one wish to end: ranks have their time.
start_graceful() {
    rm -f began go done
    : >out
    "$tuttirun" -n 1 sh -c 'trap "touch began; until [ -e go ]; do sleep 0.02; done; touch done; exit 0" HUP TERM
                            echo up; while :; do sleep 0.02; done' >out 2>err &
    launcher=$!
    until grep -q up out; do sleep 0.05; done
}
case_signal_twice() {
    start_graceful
    kill -HUP $launcher
    until [ -e began ]; do sleep 0.02; done
    sleep 0.6
    kill -HUP $launcher
    sleep 0.3
    touch go
    wait $launcher
    [ $? = 129 ] && [ -e done ] || fail "a second SIGHUP is taken for another wish"
    for round in 1 2 3 4 5; do # the machine may leave half a second between them
        start_graceful
        kill -TERM $launcher
        kill -HUP $launcher
        sleep 0.3
        touch go
        wait $launcher
        got=$?
        [ $got = 143 ] || [ $got = 129 ] || fail "status $got" # of two that wait the lower is heeded first
        [ -e done ] && break
    done
    [ -e done ] || fail "two signals at once are taken for two wishes"
    start_graceful
    kill -TERM $launcher
    until [ -e began ]; do sleep 0.02; done
    sleep 0.6
    kill -TERM $launcher
    wait $launcher
    [ $? = 143 ] && [ ! -e done ] || fail "a second wish is not heeded"
}
# A script ends with the job that ^C ends, and not only the job. timeout(1) sees to it that SIGINT is not ignored.
case_signal_script() {
    command -v bash >/dev/null && command -v setsid >/dev/null || { echo "skipped: no bash or setsid(1)"; exit 77; }
    cat >script <<'EOF'
for i in 1 2; do
    "$0" -n 1 sh -c 'kill -INT -$(cut -d " " -f 5 /proc/$PPID/stat); sleep 999'
    echo status $?
done
EOF
    expect 130 timeout --preserve-status -k 5 $patience setsid -w bash -c "$(cat script)" "$tuttirun"
    says err 'got signal 2 (Interrupt)'
    [ ! -s out ] || fail "the script goes on"
    # Nor does SIGQUIT leave a core file, where the machine writes one here.
    (ulimit -c unlimited; $run -n 1 sh -c 'trap "exit 0" QUIT; kill -QUIT $PPID; sleep 999 & wait') >out 2>err
    [ $? = 131 ] || fail "status after SIGQUIT"
    [ -z "$(ls core* 2>/dev/null)" ] || fail "a core file is left"
}
# ^Z stops the job where something is above that can let it go on, and else nothing.
case_stop() {
    command -v bash >/dev/null && command -v setsid >/dev/null || { echo "skipped: no bash or setsid(1)"; exit 77; }
    act='echo up; until [ -e go ]; do sleep 0.02; done; echo went on'
    state() { sed 's/.*) //' "/proc/$1/stat" | cut -c 1; }
    : >out
    setsid "$tuttirun" -n 2 sh -c "$act" >out 2>err &
    launcher=$!
    until [ "$(grep -c up out)" = 2 ]; do sleep 0.05; done
    for round in 1 2 3; do
        kill -TSTP $launcher
        sleep 0.1
    done
    touch go
    while kill -0 $launcher 2>/dev/null && [ "$(state $launcher)" != Z ]; do
        [ "$(state $launcher)" != T ] || { kill -KILL $launcher; fail "stopped for good"; }
        sleep 0.1
    done
    wait $launcher || fail "status $? of a job that was not to stop"
    [ "$(grep -c '^went on$' out)" = 2 ] || fail "a rank was stopped"
    rm go
    cat >shell <<'EOF'
state() { sed 's/.*) //' "/proc/$1/stat" | cut -c 1; }
"$0" -n 1 sh -c "$1" >out 2>err &
until grep -q up out; do sleep 0.05; done
kill -TSTP $!
until [ "$(state $!)" = T ]; do sleep 0.05; done
touch go
sleep 0.3
grep -q 'went on' out && exit 1
kill -CONT $!
wait $!
EOF
    : >out
    timeout -k 5 $patience bash -mc "$(cat shell)" "$tuttirun" "$act" 2>/dev/null || fail "status $? of a job that was to stop"
    says out 'went on'
}
# What the launcher was started to ignore does not end the job: nohup, a script's &.
case_ignored() {
    for signal in HUP INT QUIT; do
        rm -f go
        : >out
        sh -c 'trap "" $1; shift; exec "$@"' - $signal \
            "$tuttirun" -n 2 sh -c 'echo up; until [ -e go ]; do sleep 0.05; done; echo went on' >out 2>err &
        launcher=$!
        until [ "$(grep -c up out)" = 2 ]; do sleep 0.05; done
        kill -$signal $launcher
        touch go
        wait $launcher || fail "status $? after SIG$signal, which was to be ignored"
        [ "$(grep -c '^went on$' out)" = 2 ] && [ ! -s err ] || fail "SIG$signal ended the job"
    done
    if command -v bash >/dev/null; then expect 3 $run -n 1 bash -c 'trap "" CHLD; exec "$0" -n 1 sh -c "exit 3"' "$tuttirun"; fi
}
# What a rank gave its output to has time to handle it; once in a while the machine may leave it none.
await_stray() {
    for round in 1 2 3 4 5; do
        rm -f file
        expect 0 timeout -k 5 $patience "$@" -n 2 \
            sh -c '[ $PMIX_RANK = 0 ] || exit 0
                   (while kill -0 $$; do sleep 0.02; done 2>/dev/null; echo late; echo later >file) & exit 0'
        [ "$(cat out file 2>/dev/null | tr '\n' '|')" = 'late|later|' ] && [ ! -s err ] && return
    done
    fail "what a rank left was killed before its time"
}
case_strays() {
    expect 0 $run -n 2 sh -c 'setsid sleep 999 & sleep 999 & exit 0'
    says err 'tuttirun: all ranks have ended, but sleep (pid '
    says err ', and 3 more), which they left running, has not in 2 s: killed'
    await_stray "$tuttirun"
    # What a shell left that became tuttirun is not the job's.
    if command -v bash >/dev/null; then
        expect 0 timeout -k 5 $patience bash -c 'exec "$0" -n 1 echo hi > >(cat >log; echo whole >>log)' "$tuttirun"
        [ ! -s err ] || fail "words about what is not the job's"
        for round in $(seq $((patience * 10))); do [ "$(tail -1 log)" = whole ] && break; sleep 0.1; done
        [ "$(tr '\n' '|' <log)" = 'hi|whole|' ] || fail "who handles tuttirun's own output is killed"
    fi
    # A job that has failed leaves it no more time than itself.
    expect 3 $run -n 1 sh -c 'setsid sleep 999 & exit 3'
    grep -q 'left running' err && fail "words about the end of a job that has failed"
    # The first process of a pid namespace has more children than these, and may have a /proc of others.
    unshare -p -f --mount-proc true 2>/dev/null || return 0
    await_stray unshare -p -f --mount-proc "$tuttirun"
    expect 0 timeout -k 5 $patience unshare -p -f "$tuttirun" -n 2 sh -c 'sleep 999 & exit 0'
    [ ! -s err ] || fail "words about processes of others"
}
# A job inside a job: whatever end the outer one finds, the inner one leaves nothing either.
case_nested() {
    expect 0 $run -n 2 "$tuttirun" -n 2 "$acts" meet
    expect 4 $run -n 2 sh -c '"$0" -n 2 sh -c "trap \"\" TERM; sleep 999" & sleep 0.5; exit 4' "$tuttirun"
    nothing_left
    "$tuttirun" -n 2 "$tuttirun" -n 2 sleep 999 >out 2>err </dev/null &
    launcher=$!
    for round in $(seq $((patience * 20))); do
        [ "$(survivors | xargs -I{} cat {}/comm 2>/dev/null | grep -c '^sleep$')" = 4 ] && break
        sleep 0.05
    done
    kill -KILL $launcher
    wait $launcher 2>/dev/null
    return 0
}
