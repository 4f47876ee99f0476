# SPDX-License-Identifier: BSD-3-Clause
# How a job ends by what its ranks do, and what is said of it. To be sourced by launcher_case.

case_status() {
    expect 7 $run -n 3 sh -c 'test $PMIX_RANK != 2 || exit 7; sleep 999'
    says err 'rank 2 (sh, pid '
    says err 'exited with status 7; ending the job'
    expect 143 $run -n 2 sh -c 'test $PMIX_RANK != 1 || kill -TERM $$; sleep 999'
    says err 'was killed by signal 15 (Terminated)'
}
case_tail() {
    expect 3 $run -n 2 sh -c 'test $PMIX_RANK = 1 || sleep 999; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i >&2; done; exit 3'
    says err 'rank 1 wrote last to stderr:'
    says err '| line 12'
    grep -q '| line 2$' err && fail "too many lines"
    return 0
}
case_kill_rank() {
    expect 137 $run -n 4 "$acts" die
    says err 'rank 1 ('
    says err 'was killed by signal 9 (Killed)'
}
# The first end is the cause, also where the launcher sees it together with those that follow: once it waits for both
# ranks it is stopped, until the second one and then the first one are gone.
case_first_end() {
    cat >act <<'EOF'
is() { case $(cut -d ')' -f 2 /proc/$2/stat) in " $1"*) ;; *) return 1 ;; esac; }
ended() { is Z $1; }
if [ $PMIX_RANK = 1 ]; then
    for i in $(seq 500); do
        [ $(ls -l /proc/$PPID/fd | grep -c pidfd) = 2 ] && is S $PPID && break
        sleep 0.01
    done
    kill -STOP $PPID
    echo $$ >first.new && mv first.new first
    kill -KILL $$
fi
until [ -s first ] && ended $(cat first); do sleep 0.01; done
(until ended $$; do sleep 0.01; done; kill -CONT $PPID) &
exit 4
EOF
    for round in 1 2 3; do
        rm -f first
        expect 137 $run -n 2 sh ./act
        says err 'rank 1 (sh, pid '
        says err 'was killed by signal 9 (Killed); ending the job'
    done
}
case_stubborn() {
    expect 3 $run -n 2 sh -c 'test $PMIX_RANK = 1 && sleep 0.3 && exit 3; trap "" TERM INT HUP; while :; do sleep 0.1; done'
}
# What PMIx's server has to say while the job runs, and not what it says of ranks that end because they must.
case_server_words() {
    cat >knock <<'EOF'
exec 3<>/dev/tcp/127.0.0.1/${PMIX_SERVER_URI41##*:}
echo "no greeting of PMIx's" >&3
exec 3>&-
EOF
    cat >act <<'EOF'
knocks() { grep -c 'connection_handler: new connection' err; }
trap '. ./knock; sleep 0.2; exit 0' TERM
touch ready$PMIX_RANK
until [ -e ready0 ] && [ -e ready1 ]; do sleep 0.01; done
test $PMIX_RANK = 0 || { . ./knock; until [ $(knocks) = 1 ]; do sleep 0.01; done; exit 3; }
sleep 999 & wait
EOF
    export PMIX_MCA_ptl_base_verbose=10
    expect 3 $run -n 2 bash act
    grep 'connection_handler' err | grep -qv '^tuttirun: PMIx: ' && fail "words that do not say whose they are"
    [ "$(grep -c 'connection_handler: new connection' err)" -eq 1 ] || fail "not one connection"
    unset PMIX_MCA_ptl_base_verbose
}
case_abort() {
    expect 7 $run -n 3 "$acts" abort
    says err 'aborted the job with status 7: out of patience'
    # A longer reason than there is room for says that it goes on.
    expect 7 $run -n 2 "$acts" abort-wordily
    says err 'aborted the job with status 7: words words '
    grep -q '^tuttirun: .* words.*…; ending the job$' err || fail "the reason is cut without a sign"
    expect 1 $run -n 3 "$acts" desert
    says err 'exited with status 0 without leaving the job'
}
# A rank is one process, once: neither its children nor what its shell runs after it are the rank, and that they end says
# nothing of it.
case_one_process() {
    expect 1 $run -n 3 "$acts" host
    says err 'has joined the job as rank 1 before this one, and a rank is one process: unset PMIX_NAMESPACE and PMIX_RANK for '
    says err 'exited with status 0 without leaving the job'
    expect 1 $run --keep-going -n 2 sh -c '"$0" meet && "$0" meet' "$acts"
    says err 'has joined the job as rank 0 before this one'
    says err 'has joined the job as rank 1 before this one'
    expect 0 $run -n 1 sh -c '"$0" meet && "$0" meet' "$acts"
}
# Who has ended without joining is missed by those that join, before or after it.
case_absent() {
    for order in 'until [ -e joined ]; do sleep 0.02; done' 'sleep 0.3'; do
        rm -f joined
        [ "$order" = 'sleep 0.3' ] && late='sleep 0.6;' || late='{ sleep 0.5; touch joined; } &'
        expect 1 $run -n 2 sh -c "if [ \$PMIX_RANK = 0 ]; then $late exec \"\$0\" meet; fi; $order; exit 0" "$acts"
        says err 'exited with status 0 without joining the job that rank 0 joined; ending the job'
        says err 'rank 1 (sh, pid '
    done
    expect 0 $run --keep-going -n 3 sh -c '[ $PMIX_RANK = 1 ] || exec "$0" stillborn; exit 0' "$acts"
    [ "$(grep -c 'get peer failed, fence peer failed' out)" = 2 ] || fail "the survivors were not told"
    says err '1 of 3 ranks lost (1); all others ended well'
    # Programs that all know nothing of a job have none to join.
    expect 0 $run -n 3 sh -c 'sleep 0.$PMIX_RANK'
    expect 0 $run -n 2 --spares 1 sh -c '[ $PMIX_RANK != 2 ] || sleep 999'
    [ ! -s err ] || fail "words about plain programs"
}
# Who joined, and whose tutti_init() failed then, is missed by the others, whatever its status, and whatever comes after it
# under its name. Nobody waits for it in a job of one.
case_failed() {
    for act in '"$0" fail' 'if [ $PMIX_RANK != 1 ]; then exec "$0" fail; fi; "$0" fail && ! "$0" meet'; do
        expect 1 $run -n 3 sh -c "$act" "$acts"
        says err 'exited with status 0 after its tutti_init() had failed; ending the job'
        says err 'rank 1 (sh, pid '
        expect 0 $run --keep-going -n 3 sh -c "$act" "$acts"
        [ "$(grep -c 'get peer failed, fence peer failed' out)" = 2 ] || fail "the others were not told"
        says err '1 of 3 ranks lost (1); all others ended well'
    done
    # PMIx loses some bytes as it starts again; LeakSanitizer sees whose they are where it unwinds slowly.
    expect 0 env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}fast_unwind_on_malloc=0" $run -n 1 "$acts" fail
}
# The launcher hears that a rank is gone, and may hear later that it left as it should.
case_halted() {
    for round in 1 2 3; do
        expect 0 $run -n 2 "$acts" halt
    done
}
# Nor is an answer waited for that does not come.
case_halted_long() {
    expect 0 $run -n 2 "$acts" halt-long
    says out 'has left a launcher that is halted'
}
case_unheard() {
    expect 0 $run -n 4 "$acts" unheard
}
# However many ranks end by themselves, the launcher hears the others meanwhile: 72 of which each is waited for ten
# seconds are twelve minutes.
case_quit() {
    soon="timeout -k 5 600 $tuttirun"
    expect 3 $soon -n 72 "$acts" quit
    says err 'rank 1 ('
    says err 'exited with status 3; ending the job'
    $soon --keep-going -n 72 "$acts" quit-many >out 2>err
    got=$? # that of whom the launcher heard of first
    [ $got = 3 ] || [ $got = 7 ] || fail "status $got"
    says err 'aborted the job with status 7: not without the others'
    # Who aborts because of an end is not its cause.
    for round in $(seq 10); do expect 3 $soon -n 3 "$acts" blame; done
    expect 0 $soon --keep-going -n 24 "$acts" desert-many
    says out 'told of 23 deaths'
    says err '23 of 24 ranks lost (1, 2, 3, '
}
case_keep_going() {
    for strict in '' =strict; do
        [ "$strict" ] && wanted=137 || wanted=0
        expect $wanted $run --keep-going$strict -n 4 "$acts" survive
        [ "$(grep -c '^told of 1$' out)" = 3 ] || fail "the survivors were not told"
        says err 'was killed by signal 9 (Killed); the others go on'
    done
    expect 0 $run --keep-going -n 4 "$acts" survive
    says err '1 of 4 ranks lost (1); all others ended well'
    # Who fails by its own word has failed, before a death, after it and without one.
    expect 5 $run --keep-going -n 3 sh -c 'case $PMIX_RANK in 0) kill -KILL $$ ;; 1) sleep 0.2; exit 5 ;; esac'
    expect 5 $run --keep-going -n 3 sh -c 'case $PMIX_RANK in 0) exit 5 ;; 1) sleep 0.2; kill -KILL $$ ;; esac'
    expect 5 $run --keep-going -n 3 sh -c '[ $PMIX_RANK != 1 ] || exit 5'
    # A job of which nobody remains has failed; and its time may be over.
    expect 137 $run --keep-going -n 3 sh -c 'kill -KILL $$'
    says err '3 of 3 ranks lost (0, 1, 2); no other ended well'
    expect 124 $run --keep-going --timeout 300ms -n 3 sh -c '[ $PMIX_RANK = 1 ] && kill -KILL $$; sleep 999'
    # A shell around the program, which says by its status that it was killed.
    expect 0 $run --keep-going -n 3 sh -c '"$0" survive; exit $?' "$acts"
    expect 2 $run --keep-going=sometimes true
    # Who gives up then ends the job all the same.
    expect 7 $run --keep-going -n 3 "$acts" give-up
    says err 'aborted the job with status 7: not without rank 1'
    # A death is told even of a rank that had not joined the job yet.
    expect 0 $run --keep-going -n 3 "$acts" stillborn
    [ "$(grep -c 'get peer failed, fence peer failed' out)" = 2 ] || fail "the survivors were not told"
}
start_fence() {
    : >out
    "$tuttirun" -n 6 "$acts" fence >out 2>err &
    launcher=$!
    until [ "$(grep -c 'rank . is' out)" = 6 ]; do
        kill -0 $launcher 2>/dev/null || fail "the ranks did not come up"
        sleep 0.05
    done
    sleep 0.2
}
# Ranks that die while others wait in a fence do not take the launcher with them: it tells how the job ended.
case_fence() {
    for round in 1 2 3; do
        # Rank 0 first, then those that wait for it, while the launcher sleeps: it sees all deaths at one look.
        start_fence
        kill -STOP $launcher
        for rank in 0 1 2 3 4 5; do kill -KILL "$(sed -n "s/rank $rank is //p" out)"; done
        kill -CONT $launcher
        wait $launcher
        got=$?
        [ $got = 137 ] || fail "status $got after all ranks died"
        # A background job of a script ignores SIGINT, so the launcher is told by timeout(1), which resets that.
        expect 130 timeout --foreground --preserve-status -k 20 -s INT 0.5 "$tuttirun" -n 6 "$acts" fence
        expect 124 $run --timeout 500ms -n 6 "$acts" fence
        expect 3 $run -n 6 "$acts" fence-fail
    done
}
case_timeout() {
    expect 124 $run --timeout 300ms -n 2 sleep 999
    says err '--timeout'
    # A reader that is stuck does not hold it up, whether ranks wait for it or have ended by themselves.
    mkfifo stuck
    sleep 999 <>stuck &
    reader=$!
    for lines in 2000000 100000; do
        $run --timeout 300ms -n 1 seq $lines >stuck 2>err
        got=$?
        [ $got = 124 ] || { kill $reader; fail "status $got beside a stuck reader"; }
        says err 'the job has run for 0.3 s (--timeout)'
        says err 'are lost (its reader did not read them)'
    done
    kill $reader
}
