# SPDX-License-Identifier: BSD-3-Clause
"""The options of the launchers that are known, with their numbers of arguments. Names are without dashes.

Sources: `mpiexec --help` of MPICH 5.0 and 3.x, `mpirun --help full` of Open MPI 4.1, Open MPI 5.0's
prterun, Intel MPI's reference, the manual pages of srun 22.05, and those of flux-run, jsrun and aprun.
"""

from __future__ import annotations

from stretto.launch.command_options import CommandOptions, names
from stretto.launch.mpi import MpiLibrary

_FIRST_WITH_PRTE = 5  # of Open MPI

_HYDRA = CommandOptions(
    none=names(
        "genvnone genvall envnone envall enable-x disable-x l prepend-rank print-all-exitcodes "
        "print-rank-map info version verbose v hybrid-hosts skip-launch-node pmi-port profile "
        "disable-auto-cleanup dac enable-auto-cleanup disable-hostname-propagation "
        "enable-hostname-propagation help h"
    ),
    one=names(
        "f hostfile machinefile host hosts wdir path genvlist envlist n np ppn launcher launcher-exec "
        "bootstrap bootstrap-exec rmk topolib bind-to binding map-by membind demux iface usize localhost "
        "nameserver order-nodes outfile-pattern errfile-pattern prepend-pattern outfile errfile "
        "gpus-per-proc gpu-subdevs-per-proc ckpointlib ckpoint-prefix ckpoint-interval ckpoint-num "
        "rankmap memory-alloc-kinds ranks-per-proc"
    ),
    two=names("genv env"),
    pairs=names("genv env"),
    file=names("configfile"),
)
_INTEL = CommandOptions(
    none=_HYDRA.none
    | names("rr nolocal noconf check_mpi trace t aps ilp64 gdb silent-abort prot V rdma RDMA ib IB tmi TMI"),
    one=_HYDRA.one
    | names(
        "perhost grr machine tmpdir gtool gtoolfile umask s hosts-group p bootstrap-exec-args "
        "branch-count hostos port-range"
    ),
    two=_HYDRA.two,
    pairs=_HYDRA.pairs,
    file=_HYDRA.file,
)
_OPEN_MPI = CommandOptions(
    none=names(
        "allow-run-as-root bind-to-core bind-to-socket bycore bynode byslot continuous d debug-devel "
        "debug debug-daemons debug-daemons-file disable-recovery display-allocation "
        "display-devel-allocation display-devel-map display-diffable-map display-map display-topo "
        "do-not-launch do-not-resolve dvm enable-instant-on-support enable-recovery fwd-mpirun-port "
        "get-stack-traces index-argv-by-rank leave-session-attached merge-stderr-to-stdout nolocal "
        "nooversubscribe noprefix novm output-proctable oversubscribe pernode q quiet report-bindings "
        "report-child-jobs-separately report-state-on-timeout s preload-binary set-cwd-to-session-dir "
        "show-progress tag-output timestamp-output tv use-hwthread-cpus use-regexp v verbose V version "
        "xml"
    ),
    one=names(
        "am bind-to c np n N cf cartofile cpu-list cpu-set cpus-per-proc cpus-per-rank debugger "
        "default-hostfile H host hnp hostfile launch-agent machinefile map-by max-restarts max-vm-size "
        "npernode npersocket ompi-server output-filename path personality ppr prefix preload-files "
        "rank-by report-events report-pid report-uri rf rankfile stdin timeout tune wd wdir x xml-file "
        "xterm"
    ),
    two=names("mca gmca"),
    file=names("app"),
    equals=False,
)
_PRTE = CommandOptions(
    none=names(
        "allow-run-as-root bycore bynode byslot continuous daemonize debug-daemons debug-daemons-file "
        "disable-recovery display-allocation display-devel-allocation display-devel-map display-map "
        "do-not-launch do-not-resolve enable-instant-on enable-recovery get-stack-traces hetero-nodes "
        "index-argv-by-rank keepalive leave-session-attached merge-stderr-to-stdout no-app-prefix "
        "no-ready-msg nolocal nooversubscribe noprefix novm oversubscribe parsable parseable p pernode q "
        "quiet report-bindings report-child-jobs-separately report-state-on-timeout s preload-binary "
        "set-cwd-to-session-dir set-sid show-progress stop-in-app stop-in-init stop-on-exec tag-output "
        "timestamp-output use-hwthread-cpus v verbose V version xml"
    ),
    one=names(
        "am app-pmix-prefix bind-to c np n N cpu-list cpu-set cpus-per-proc cpus-per-rank "
        "default-hostfile display display-topo dvm dvm-master-timeout forward-signals gpu-support H host "
        "hostfile initial-errhandler launch-agent machinefile map-by max-restarts max-vm-size "
        "mem-alloc-kind memory-alloc-kinds npernode npersocket ompi-server output output-directory "
        "output-filename path personality prefix preload-files pset rank-by rankfile report-pid "
        "report-uri rtos runtime-options singleton spawn-timeout stdin stream-buffering timeout tmpdir "
        "tune unset-env wd wdir with-ft x xterm"
    ),
    two=names("mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca append-env prepend-env"),
    file=names("app"),
)
_SRUN = CommandOptions(
    none=names(
        "bcast compress contiguous X disable-status exact exclusive h help H hold I immediate K "
        "kill-on-bad-exit l label nice Z no-allocate k no-kill O overcommit overlap s oversubscribe share "
        "E preserve-env propagate pty Q quiet quit-on-interrupt reboot resv-ports send-libs spread-job "
        "test-only u unbuffered usage use-min-nodes v verbose V version x11 no-requeue requeue whole"
    ),
    one=names(
        "accel-bind A account acctg-freq bb bbf bcast-exclude b begin D chdir cluster-constraint M "
        "clusters comment C constraint container core-spec S cores-per-socket cpu-bind cpu_bind cpu-freq "
        "cpus-per-gpu c cpus-per-task deadline delay-boot d dependency m distribution epilog e error x "
        "exclude export export-file B extra-node-info gid gpu-bind gpu-freq G gpus gpus-per-node "
        "gpus-per-socket gpus-per-task gres gres-flags het-group pack-group hint i input J job-name jobid "
        "L licenses mail-type mail-user mcs-label mem mem-bind mem_bind mem-per-cpu mem-per-gpu mincpus "
        "mpi msg-timeout network F nodefile w nodelist N nodes n ntasks ntasks-per-core ntasks-per-gpu "
        "ntasks-per-node ntasks-per-socket ntasks-per-tres open-mode o output p partition power prefer "
        "priority profile prolog q qos r relative reservation signal slurmd-debug sockets-per-node "
        "switches task-epilog task-prolog thread-spec T threads threads-per-core t time time-min tmp "
        "tres-bind tres-per-task tres-per-job uid W wait wckey extra"
    ),
    file=names("multi-prog"),
    attached=True,
)
_FLUX = CommandOptions(
    none=names(
        "dry-run unbuffered u label-io l verbose v quiet exclusive x wait-event help h debug debug-emulate"
    ),
    one=names(
        "n ntasks N nodes c cores-per-task g gpus-per-task cores tasks-per-node tasks-per-core "
        "gpus-per-node t time-limit o setopt setattr S env e env-remove env-file rlimit input i output "
        "error cwd job-name urgency dependency requires begin-time queue q bank B conf taskmap add-file "
        "flags"
    ),
    attached=True,
)
_JSRUN = CommandOptions(
    none=names("X exit_on_error v version h help i immediate"),
    one=names(
        "n nrs a tasks_per_rs c cpu_per_rs g gpu_per_rs r rs_per_host l latency_priority b bind d "
        "launch_distribution p np E env F env_eval o stdio_stdout k stdio_stderr t stdio_input e "
        "stdio_mode m memory_per_rs K rs_per_socket M smpiargs h chdir U use_spindle T timelimit appfile "
        "erf_input"
    ),
    attached=True,
)
_APRUN = CommandOptions(
    none=names(
        "b bypass-app-transfer ss sl r q quiet T sync-output z zone-sort v version h help C reconnect"
    ),
    one=names(
        "n pes N pes-per-node d cpus-per-pe S pes-per-numa-node sn cc cpu-binding cp e "
        "environment-override a architecture D debug F access-mode j cpus-per-cu L node-list l "
        "node-list-file m memory-per-pe p protection-domain t cpu-time-limit B batch-args P pipes R "
        "relaunch"
    ),
    attached=True,
)
_BATCH = {"srun": _SRUN, "flux": _FLUX, "jsrun": _JSRUN, "aprun": _APRUN}


def launcher_options(name: str, mpi: MpiLibrary | None) -> CommandOptions | None:
    """The options of the launcher of this name; of `mpiexec` those of its MPI. None: unknown."""
    if name in _BATCH:
        return _BATCH[name]
    if mpi is None:
        return None
    if mpi.family == "openmpi":
        return _PRTE if mpi.major >= _FIRST_WITH_PRTE else _OPEN_MPI
    return _INTEL if mpi.is_intel else _HYDRA
