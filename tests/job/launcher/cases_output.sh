# SPDX-License-Identifier: BSD-3-Clause
# What ranks read and write. To be sourced by launcher_case.

case_stdin() {
    seq 100000 >in
    expect 0 $run -n 3 cat <in
    cmp -s in out || fail "rank 0 did not get all of stdin, alone"
    expect 0 $run -n 1 cat <&-
}
case_terminal() {
    command -v script >/dev/null || { echo "skipped: script(1) is not installed"; exit 77; }
    { sleep 0.3; echo typed; sleep 0.3; printf '\004'; sleep 0.3; } |
        expect 0 timeout -k 5 $patience script -qec "$tuttirun -n 2 sh -c 'printf \"name? \"; read name; echo got \$name'" log
    tr -d '\r' <out | grep -q 'got typed' || fail "a terminal is not passed on to rank 0"
    # Also one that is not the terminal of our session, and so has no foreground for us.
    command -v setsid >/dev/null || return 0
    { sleep 0.3; echo typed; sleep 0.3; printf '\004'; sleep 0.3; } |
        expect 0 timeout -k 5 $patience script -qec "setsid -w $tuttirun -n 1 sh -c 'read name; echo got \$name'" log
    tr -d '\r' <out | grep -q 'got typed' || fail "a terminal of another session is not passed on to rank 0"
}
# A rank that reads the terminal itself is stopped by it, which is said.
case_terminal_stops() {
    command -v script >/dev/null || { echo "skipped: script(1) is not installed"; exit 77; }
    : >out
    { for round in $(seq $((patience * 10))); do
          grep -q 'is stopped' out && break
          sleep 0.1
      done; printf '\003'; sleep 0.3; } |
        expect 130 timeout -k 5 $patience script -qec "$tuttirun -n 2 sh -c '[ \$PMIX_RANK = 0 ] || read name </dev/tty; sleep 999'" log
    tr -d '\r' <out | grep -q '^tuttirun: rank 1 (pid [0-9]*) is stopped because it reads the terminal itself' || fail "nothing is said"
}
# Started with & and brought back with fg, which bash does without a signal to who was not stopped.
case_foreground() {
    command -v script >/dev/null || { echo "skipped: script(1) is not installed"; exit 77; }
    cat >shell <<END
$tuttirun -n 1 sh -c 'touch runs; read name; echo got \$name' &
until [ -e runs ]; do sleep 0.02; done
sleep 0.3
fg
END
    { until [ -e runs ]; do sleep 0.02; done; sleep 0.5; echo typed; sleep 0.5; printf '\004'; sleep 0.5; } |
        expect 0 timeout -k 5 $patience script -qec "bash -m shell" log
    tr -d '\r' <out | grep -q 'got typed' || fail "a terminal that is ours again is not passed on to rank 0"
}
# What a rank wrote of a line is shown if the rest does not come for a while, on a new line if need be: once in a while
# the machine may give a rank no time in the midst of one. whole_lines LENGTH COUNT WORDS COMMAND..., which writes to `out`.
whole_lines() {
    length=$1 count=$2 words=$3
    shift 3
    for round in 1 2 3 4 5; do
        "$@"
        [ "$(wc -l <out)" = "$count" ] && [ "$(awk -v n="$length" 'length($0) == n' out | wc -l)" = "$count" ] && return
    done
    fail "$words"
}
to_slow_reader() { $run -n 4 seq 100001 600000 | (sleep 2; cat) >out; }
while_halted() {
    "$tuttirun" -n 4 seq 1000001 2500000 >out 2>err &
    launcher=$!
    until [ -s out ]; do sleep 0.02; done
    kill -STOP $launcher
    sleep 1.5
    kill -CONT $launcher
    wait $launcher || fail "status $?"
}
case_output() {
    expect 0 $run --tag-output -n 4 sh -c 'i=0; while [ $i -lt 300 ]; do printf aaa; printf bbb; echo ccc; i=$((i+1)); done; printf end'
    [ "$(grep -cxE '\[[0-3]\] (aaabbbccc|end)' out)" = 1204 ] || fail "lines are torn"
    expect 0 $run --tag-output -n 2 sh -c 'echo e >&2'
    says err '[1!] e'
    expect 0 $run -n 1 sh -c 'printf "no newline"'
    [ "$(cat out)" = "no newline" ] && [ "$(wc -c <out)" = 10 ] || fail "bytes were added or lost"
    whole_lines 6 800000 "lines are torn or lost" expect 0 $run -n 2 seq 100001 500000
    # A slow reader holds up nothing but the output, and gets all of it; a signal ends the wait for a stuck one.
    seq 1000000 >wanted
    $run -n 1 seq 1000000 | (sleep 0.5; cat) >out
    cmp -s wanted out || fail "a slow reader lost output"
    # Nor are the lines broken of which the launcher had read a part when its queue was full, or when it was halted.
    whole_lines 6 2000000 "a slow reader gets broken lines" to_slow_reader
    whole_lines 7 6000000 "lines are broken where the launcher was halted" while_halted
    mkfifo stuck
    sleep 999 <>stuck &
    reader=$!
    "$tuttirun" -n 1 seq 1000000 >stuck 2>err &
    launcher=$!
    sleep 0.5
    kill -TERM $launcher
    wait $launcher
    [ $? = 143 ] || fail "a stuck reader holds up the launcher"
    kill $reader
}
# Waits for a line of the file out that is just this.
await='await() { until grep -qx "$1" out; do sleep 0.02; done; }; '
case_partial() {
    # A prompt is shown without its end and while others write; what others write begins a line, and its rest too.
    expect 0 $run -n 2 sh -c "$await"'if [ $PMIX_RANK = 0 ]; then printf prompt; await other; echo rest
                                      else until grep -q prompt out; do echo chat; sleep 0.02; done; echo other; fi'
    [ "$(grep -v chat out | tr '\n' '|')" = 'prompt|other|rest|' ] || fail "$(cat out)"
    # Two that do not end either: the second one waits longer, but not for ever.
    expect 0 $run -n 2 sh -c "$await"'[ $PMIX_RANK = 0 ] || await zero; [ $PMIX_RANK = 0 ] && printf zero || printf one; await one'
    [ "$(tr '\n' '|' <out)" = 'zero|one' ] || fail "$(cat out)"
    # stdout and stderr in one file are not glued either, nor what the launcher says.
    $run -n 2 sh -c "$await"'[ $PMIX_RANK = 0 ] && { printf zero; await one; sleep 999; }; await zero; echo one >&2; exit 3' >out 2>&1
    [ "$(head -2 out | tr '\n' '|')" = 'zero|one|' ] && says out 'tuttirun: rank 1'
    grep -q 'zero.*tuttirun' out && fail "$(cat out)"
    [ "$("$tuttirun" -n 3 printf x | wc -l)" = 2 ] || fail "ends of ranks are glued"
}
# Output that cannot be written is an error that names cause, amount and rank; a job's own failure comes first.
case_lost() {
    $run -n 2 echo hi >/dev/full 2>err
    [ $? = 74 ] || fail "a full disk is no error"
    says err 'cannot write stdout: No space left on device'
    says err '6 bytes for stdout are lost (No space left on device): 3 of rank 0, 3 of rank 1'
    $run -n 2 sh -c 'echo hi; exit 3' >/dev/full 2>err
    [ $? = 3 ] || fail "the rank's status is lost"
    $run -n 1 sh -c 'echo hi >&2' >out 2>/dev/full
    [ $? = 74 ] || fail "a full disk of stderr is no error"
    # A closed descriptor is no place for output either, and none is needed where nothing is written.
    $run -n 2 echo hi 2>err >&-
    [ $? = 74 ] || fail "a closed stdout is no error"
    says err '6 bytes for stdout are lost (it is closed): 3 of rank 0, 3 of rank 1'
    $run -n 1 sh -c 'echo hi >&2' >out 2>&-
    [ $? = 74 ] || fail "a closed stderr is no error"
    $run -n 1 sh -c 'echo hi >&2' 2>/dev/null >&- || fail "a closed stdout that nobody writes is an error"
    # A file that may not grow: it begins with what was written, and each byte is there or counted.
    (ulimit -f 64; $run -n 3 sh -c 'i=0; while [ $i -lt 2000 ]; do echo "$i of $PMIX_RANK -----------------"; i=$((i+1)); done') >out 2>said
    [ $? = 74 ] || fail "a file at its limit is no error"
    total=$(for rank in 0 1 2; do seq -f "%.0f of $rank -----------------" 0 1999; done | wc -c)
    lost=$(sed -n 's/^tuttirun: \([0-9]*\) bytes for stdout are lost.*/\1/p' said)
    parts=$(sed -n 's/^.*lost (File too large): //p' said | grep -oE '[0-9]+ of' | awk '{n += $1} END {print n}')
    [ "$((lost + $(wc -c <out)))" = "$total" ] || fail "$lost bytes lost and $(wc -c <out) written of $total"
    [ "$parts" = "$lost" ] || fail "ranks lost $parts bytes, all together $lost: $(cat said)"
    case_lost_on_tmpfs
}
case_lost_on_tmpfs() {
    mkdir small
    unshare -m true 2>/dev/null || return 0 # only root may
    unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs small && "$@" >small/out; status=$?; wc -c <small/out; exit $status' sh \
        $run -n 2 sh -c 'seq 10000' >out 2>err
    [ $? = 74 ] || fail "a full disk is no error"
    says err "$((2 * $(seq 10000 | wc -c) - $(cat out))) bytes for stdout are lost (No space left on device)"
}
case_closed_pipe() {
    # Quiet, with the status that a program in such a pipeline has.
    { $run -n 2 yes 2>err; echo $? >status; } | head -1 >out
    [ "$(cat out)" = y ] || fail "no output"
    [ "$(cat status)" = 141 ] || fail "status $(cat status)"
    [ ! -s err ] || fail "words about a reader that has seen enough"
    { $run --keep-going -n 2 yes 2>err; echo $? >status; } | head -1 >out
    [ "$(cat status)" = 141 ] && [ ! -s err ] || fail "with --keep-going status $(cat status), $(wc -l <err) lines"
    # A rank that is lost for another reason is told of, as ever.
    { $run --keep-going -n 2 sh -c '[ $PMIX_RANK = 0 ] && exec yes; kill -KILL $$' 2>err; echo $? >status; } | head -1 >out
    says err 'rank 1 (sh, '
    says err '2 of 2 ranks lost (0, 1); no other ended well'
    { $run -n 2 sh -c 'trap "" PIPE; seq 100000 2>/dev/null; true' 2>err; echo $? >status; } | head -1 >out
    [ "$(cat status)" = 141 ] && [ ! -s err ] || fail "status $(cat status)"
    expect 0 $run -n 2 sh -c 'sleep 0.1' >&-
}
