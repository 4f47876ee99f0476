# SPDX-License-Identifier: BSD-3-Clause
# A Slurm in $SLURM_WORK, shared by the scripts of this folder; to be sourced.
. "$(dirname "$0")/../patience.sh"

# slurm_configure CONTROLLER ADDRESS NODE...: the directories, munge's key and $SLURM_CONF, which the caller ends with its nodes
# and a partition.
slurm_configure() {
    local node
    # munged wants a path to its socket that all can walk.
    chmod 755 "$SLURM_WORK"
    mkdir -m 755 "$SLURM_WORK/munge" "$SLURM_WORK/state"
    for node in "${@:3}"; do mkdir "$SLURM_WORK/spool.$node" "$SLURM_WORK/tmp.$node"; done
    head -c 128 /dev/urandom >"$SLURM_WORK/munge/key"
    chmod 600 "$SLURM_WORK/munge/key"
    cat >"$SLURM_CONF" <<END
ClusterName=tutti
SlurmctldHost=$1($2)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$SLURM_WORK/munge/socket
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
StateSaveLocation=$SLURM_WORK/state
SlurmdSpoolDir=$SLURM_WORK/spool.%n
TmpFS=$SLURM_WORK/tmp.%n
SlurmctldPidFile=$SLURM_WORK/slurmctld.pid
SlurmdPidFile=$SLURM_WORK/slurmd.%n.pid
SlurmctldLogFile=$SLURM_WORK/slurmctld.log
SlurmdLogFile=$SLURM_WORK/slurmd.%n.log
KillWait=2
ReturnToService=2
END
}

# Their process ids are in $daemons afterwards.
slurm_start_controller() {
    munged --foreground --force --key-file="$SLURM_WORK/munge/key" --socket="$SLURM_WORK/munge/socket" \
        --pid-file="$SLURM_WORK/munge/pid" --log-file="$SLURM_WORK/munge/log" --seed-file="$SLURM_WORK/munge/seed" \
        >"$SLURM_WORK/munged.log" 2>&1 &
    daemons=$!
    slurmctld -D >"$SLURM_WORK/slurmctld.out" 2>&1 &
    daemons="$! $daemons"
}

slurm_await_idle() { # NODES
    local end=$((SECONDS + patience))
    while [ $SECONDS -lt $end ]; do
        [ "$(timeout 10 sinfo --noheader --Node --format=%T 2>/dev/null | grep -c '^idle$')" = "$1" ] && return
        sleep 0.1
    done
    echo "Slurm's nodes do not become idle; the logs say:" >&2
    tail -n 15 "$SLURM_WORK"/*.log "$SLURM_WORK"/*.out >&2
    exit 1
}

slurm_stop() {
    kill -TERM $daemons 2>/dev/null || true
    for _ in $(seq 20); do
        kill -0 $daemons 2>/dev/null || break
        sleep 0.1
    done
}
