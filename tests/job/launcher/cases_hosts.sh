# SPDX-License-Identifier: BSD-3-Clause
# Jobs that are handed over to the launchers of other hosts. To be sourced by launcher_case.

case_hosts() {
    command -v mpirun.openmpi >/dev/null || { echo "skipped: Open MPI is not installed"; exit 77; }
    unset SLURM_JOB_ID
    printf 'localhost slots=2 # this one\n' >hosts
    expect 0 env TUTTI_LOG=warn $run --hostfile hosts --verbose -n 2 -x WORD='a b' sh -c 'echo "$WORD $TUTTI_LOG"'
    [ "$(grep -c '^a b warn$' out)" = 2 ] || fail "not two ranks with their variables"
    says err 'hands over to: '
    # Where /bin is /usr/bin, Open MPI would look for itself in the root directory if it were called by that path.
    if [ -h /bin ]; then expect 0 env PATH="/bin:$PATH" $run --hosts localhost:2 -n 2 true; fi
    expect 2 $run --hosts localhost:1 -n 2 true
    says err 'the hosts have 1 slots'
    grep -q 'has no address' err && fail "a known host is doubted"
    $run --hosts localhost:1,no-such-host.invalid:1 -n 2 true >out 2>err && fail "an unknown host is no failure"
    says err 'tuttirun: mpirun'
    says err 'starts the ranks on host no-such-host.invalid by ssh, but the name has no address here ('
    grep -q 'on host localhost' err && fail "a known host is doubted"
    return 0
}
# Intel MPI's mpirun, which knows other options, is not taken for Open MPI's.
case_hosts_other() {
    unset SLURM_JOB_ID
    mkdir bin
    printf '#!/bin/sh\necho called as "$@"\n' >bin/mpirun
    chmod +x bin/mpirun
    expect 0 timeout -k 5 $patience env PATH="$PWD/bin" "$tuttirun" --hosts localhost:2 -n 2 prog
    says out 'called as --host localhost:2 -n 2 '
    # Without -n each slot is a rank, and a host without slots has one, however many cores there are, as --help says.
    expect 0 timeout -k 5 $patience env PATH="$PWD/bin" "$tuttirun" --hosts 127.0.0.1,localhost:3 prog
    says out 'called as --host 127.0.0.1:1,localhost:3 '
    expect 0 "$tuttirun" --help
    says out '--hosts one per slot, and one on a host without slots'
    cp bin/mpirun bin/mpiexec.hydra
    expect 127 timeout -k 5 $patience env PATH="$PWD/bin" "$tuttirun" --hosts localhost:2 -n 2 prog
    says err 'no launcher for other hosts is installed'
}
# In an allocation of several nodes ranks start here alone, unless hosts are named: this is said.
case_hosts_unused() {
    unset PMIX_RANK
    expect 0 env SLURM_JOB_NUM_NODES=3 $run -n 2 true
    says err 'all ranks start on this node, of the 3 that Slurm has allocated; to use them all give --hosts '
    says err 'and, by -n, how many ranks they share'
    expect 0 env SLURM_JOB_NUM_NODES=1 $run -n 2 true
    [ ! -s err ] || fail "words about one node"
    expect 0 env SLURM_JOB_NUM_NODES=3 SLURM_STEP_NUM_NODES=3 $run -n 2 true
    [ ! -s err ] || fail "words about nodes with a tuttirun each"
}
# What ranks on other hosts get by -x, from an srun that only shows what it was started with.
case_hosts_export() {
    mkdir bin
    printf '#!/bin/sh\nprintf "%%s\\n" "$*" "A is $A" "B is $B" "C is $C"\n' >bin/srun
    chmod +x bin/srun
    export SLURM_JOB_ID=1 PATH="$PWD/bin:$PATH"
    expect 0 env C=set $run --hosts localhost:2 -n 2 -x 'A=one' -x 'B=two,three four' -x C prog
    says out '--export=ALL prog'
    [ "$(grep -o -e --export out | wc -l)" = 1 ] || fail "of several --export srun heeds the last alone"
    says out 'A is one'
    says out 'B is two,three four'
    says out 'C is set'
    expect 2 $run --hosts localhost:2 -n 2 -x UNSET_VARIABLE prog
    says err 'write -x UNSET_VARIABLE=value'
}
