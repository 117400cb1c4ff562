# SPDX-License-Identifier: BSD-3-Clause
"""Calls of every function of ARMCI's headers with each of its arguments wrong: `wrong_arguments.py OUT`.

Fortran calls the same functions, but for those of FORTRAN, which have their own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wrong_calls import Interface, Parameter, found_in  # isort: skip (it finds the others)
from armci_fortran import BY_HANDLE, HEADERS, NAMES, OWN
from fortran_interfaces import Function, functions

# What ends the run, has no argument that can be wrong, or none that can be seen: MPI knows its own memory.
WITHOUT_CASES = {
    "ARMCI_Finalize", "ARMCI_Cleanup", "ARMCI_Error", "ARMCI_Init", "ARMCI_Init_args", "ARMCI_Init_thread", "ARMCI_Initialized",
    "ARMCI_Access_begin", "ARMCI_Access_end", "ARMCI_Set_shm_limit", "ARMCI_WaitAll", "ARMCI_AllFence", "ARMCI_Barrier",
    "ARMCI_Destroy_mutexes", "ARMCI_Uses_shm", "armci_domain_my_id", "armci_domain_count", "armci_msg_init",
    "armci_msg_finalize", "armci_msg_abort", "armci_msg_me", "armci_msg_nproc", "armci_timer", "armci_msg_barrier",
    "ARMCIX_Progress", "armci_stride_info_destroy", "ARMCI_Free_local", "ARMCI_SET_AGGREGATE_HANDLE", "ARMCI_UNSET_AGGREGATE_HANDLE",
}  # fmt: skip

NUMBERS = ("-1", "INT_MIN")
PROCESSES = ("-1", "armci_msg_nproc()", "INT_MIN", "INT_MAX")
CONSTANTS = ("-1", "99", "INT_MIN", "INT_MAX")
# A right value and the wrong ones by name, or by `type name`, or by `function.name`.
VALUES: dict[str, tuple[str, tuple[str, ...]]] = {
    "proc": ("0", PROCESSES), "to": ("0", PROCESSES), "from": ("0", PROCESSES), "root": ("0", PROCESSES),
    "group_rank": ("0", PROCESSES), "glob_proc_id": ("0", PROCESSES), "loc_proc_id": ("0", PROCESSES),
    "grp_master": ("0", PROCESSES), "grp_clus_nproc": ("armci_msg_nproc()", CONSTANTS), "id": ("0", ("99", "INT_MAX")),
    "int bytes": ("8", (*NUMBERS, "INT_MAX")), "armci_size_t bytes": ("8", ("-1", "LONG_MIN", "LONG_MAX")),
    "size_t bytes": ("8", ("SIZE_MAX",)), "len": ("8", NUMBERS), "buflen": ("8", NUMBERS), "n": ("1", NUMBERS),
    "armci_exchange_address.n": ("armci_msg_nproc()", CONSTANTS),
    "armci_exchange_address_grp.n": ("armci_msg_nproc()", CONSTANTS),
    "armci_msg_sel_scope.n": ("8", ("-1", "0", "3", "INT_MIN")),
    "ARMCI_PutV.len": ("1", (*NUMBERS, "0")), "ARMCI_GetV.len": ("1", (*NUMBERS, "0")),
    "ARMCI_AccV.len": ("1", (*NUMBERS, "0")), "ARMCI_NbPutV.len": ("1", (*NUMBERS, "0")),
    "ARMCI_NbGetV.len": ("1", (*NUMBERS, "0")), "ARMCI_NbAccV.len": ("1", (*NUMBERS, "0")),
    "ARMCI_Group_create.n": ("1", NUMBERS), "ARMCI_Group_create_child.n": ("1", NUMBERS),
    "optype": ("ARMCI_ACC_DBL", CONSTANTS), "ARMCI_Rmw.op": ("ARMCI_FETCH_AND_ADD_LONG", CONSTANTS),
    "type": ("ARMCI_DOUBLE", CONSTANTS), "scope": ("SCOPE_ALL", CONSTANTS), "op": ('"max"', ("NULL", '""', '"none"')),
    "stride_levels": ("1", ("-1", "ARMCI_MAX_STRIDE_LEVEL + 1", "INT_MIN", "INT_MAX")),
    **{
        f"armci_{name}.stride_levels": ("2", ("-1", "ARMCI_MAX_STRIDE_LEVEL + 1", "INT_MIN", "INT_MAX"))
        for name in ("write_strided", "read_strided", "stride_info_init")
    },
    "num": ("1", NUMBERS), "ARMCIX_Create_mutexes_hdl.count": ("1", NUMBERS), "mutex": ("0", ("-1", "1", "INT_MIN", "INT_MAX")),
    "hdl": ("mutexes", ("NULL", "destroyed_mutexes")), "val": ("1", ()), "extra": ("1", ()), "tag": ("7", ("-5", "INT_MIN")),
    "color": ("0", ()), "key": ("0", ()), "contribute": ("1", ()), "domain": ("ARMCI_DOMAIN_SMP", ()), "memflg": ("0", ()),
    "armci_requested": ("0", ()), "comm": ("MPI_COMM_SELF", ("MPI_COMM_NULL",)), "device": ('"none"', ()),
    # Numbers to put.
    "int src": ("1", ()), "long src": ("1", ()), "float src": ("1", ()), "double src": ("1", ()),
    # Memory of this process and of the target.
    "src": ("here", ("NULL",)), "dst": ("there", ("NULL", "here", "(char*)there + 4094")),
    "src_ptr": ("here", ("NULL",)), "dst_ptr": ("there", ("NULL", "here", "(char*)there + 4094")),
    "ploc": ("here", ("NULL",)), "prem": ("there", ("NULL", "here", "(char*)there + 4094", "(char*)there + 4")),
    "flag": ("flag", ("NULL", "here", "(char*)there + 4094")), "scale": ("&one", ("NULL",)),
    "src_stride_arr": ("strides", ("NULL", "negative")), "dst_stride_arr": ("strides", ("NULL", "negative")),
    "count": ("counts", ("NULL", "negative")), "stride_arr": ("strides", ("NULL",)), "seg_count": ("counts", ("NULL", "negative", "wrapping")),
    "armci_write_strided.count": ("counts", ("NULL", "negative", "wrapping")),
    "armci_read_strided.count": ("counts", ("NULL", "negative", "wrapping")),
    "armci_write_strided.buf": ("bytes", ("NULL",)), "armci_read_strided.buf": ("bytes", ("NULL",)),
    "darr": ("to_there", ("NULL", "null_arrays", "negative_length", "negative_bytes", "outside")),
    "ptr_arr": ("addresses", ("NULL",)), "ptr_ar": ("addresses", ("NULL",)), "base_ptr": ("here", ("NULL",)),
    "ptr": ("there", ("here", "freed", "(char*)there + 8")), "ARMCI_Free_local.ptr": ("NULL", ()),
    "armci_write_strided.ptr": ("here", ("NULL",)), "armci_read_strided.ptr": ("here", ("NULL",)),
    "buffer": ("bytes", ("NULL",)), "x": ("bytes", ("NULL",)), "meminfo": ("&information", ("NULL", "&no_information")),
    "ARMCI_Memget.meminfo": ("&information", ("NULL",)), "ARMCI_Memctl.meminfo": ("&information", ("NULL",)),
    "ARMCI_Memdt.meminfo": ("&information", ("NULL",)),
    "msglen": ("NULL", ()), "pval": ("&number", ()), "pid_list": ("members", ("NULL", "negative_members")),
    "rank": ("&number", ("NULL",)), "size": ("&number", ("NULL",)), "Root": ("&number", ("NULL",)), "Up": ("&number", ("NULL",)),
    "Left": ("&number", ("NULL",)), "Right": ("&number", ("NULL",)),
    "group": ("&group", ("NULL", "&freed_group", "&no_group")), "pgroup": ("&group", ("NULL", "&freed_group", "&no_group")),
    "parent": ("&group", ("NULL", "&freed_group", "&no_group")), "group_parent": ("&group", ("NULL", "&freed_group", "&no_group")),
    "group_out": ("&made_group", ("NULL",)), "new_group": ("&made_group", ("NULL",)),
    "nb_handle": ("NULL", ("&no_handle",)), "sinfo": ("&segments", ("NULL",)),
}  # fmt: skip
# Right, where another function has a wrong value: get swaps source and target.
OF_FUNCTIONS = {
    **{f"{get}.src": VALUES["dst"] for get in ("ARMCI_Get", "ARMCI_NbGet", "ARMCI_GetValueInt", "ARMCI_GetValueLong", "ARMCI_GetValueFloat", "ARMCI_GetValueDouble")},
    **{f"{get}.dst": VALUES["src"] for get in ("ARMCI_Get", "ARMCI_NbGet")},
    **{f"{get}.src_ptr": VALUES["dst_ptr"] for get in ("ARMCI_GetS", "ARMCI_NbGetS")},
    **{f"{get}.dst_ptr": VALUES["src_ptr"] for get in ("ARMCI_GetS", "ARMCI_NbGetS")},
    **{f"{get}.darr": ("from_there", VALUES["darr"][1]) for get in ("ARMCI_GetV", "ARMCI_NbGetV")},
    **{f"{name}.op": ("ARMCI_FETCH_AND_ADD_LONG", CONSTANTS) for name in ("ARMCI_Rmw",)},
    "ARMCI_Copy.dst": ("bytes", ("NULL",)), "ARMCI_Copy.n": ("8", NUMBERS),
    # A handle that was never initialised serves for a new operation.
    **{f"{name}.nb_handle": ("&handle", ("NULL", "&no_handle")) for name in ("ARMCI_Wait", "ARMCI_Test")},
    "ARMCI_Memat.memflg": ("0", ("-1", "LONG_MAX")),
}  # fmt: skip
# Wrong values that have a meaning: these calls come back.
MEANINGFUL = {
    "ARMCI_Copy(here, bytes, -1)", "ARMCI_Copy(here, bytes, INT_MIN)",
}  # fmt: skip
# Functions that return no code; what goes wrong ends the program.
NO_CODES = re.compile(
    r"ARMCI_GetValue|ARMCI_Absolute_id|ARMCI_Same_node|armci_sameclusnode|ARMCI_Uses_shm|armci_domain_|armci_notify|"
    r"ARMCI_Group_rank|armci_msg_rcvany|ARMCIX_Trylock_hdl|armci_stride_info_"
)


def values(function: Function, parameter: Parameter) -> tuple[str, tuple[str, ...]]:
    for table in (OF_FUNCTIONS, VALUES):
        found = found_in(table, function, parameter)
        if found is not None:
            return found
    raise SystemExit(f"{function.name}: no values are known for `{parameter.type} {parameter.name}`")


def right(function: Function, parameter: Parameter) -> str:
    return values(function, parameter)[0]


def wrong(function: Function, parameter: Parameter) -> tuple[str, ...]:
    # An uninitialised handle serves for a new operation.
    if parameter.name == "nb_handle" and function.name not in ("ARMCI_Wait", "ARMCI_Test"):
        return ()
    return values(function, parameter)[1]


def checks(function: Function, parameter: Parameter, value: str, arguments: Sequence[str]) -> list[str]:
    name = function.name
    call = f"{name}({', '.join(arguments)})"
    if call in MEANINGFUL:
        macro = "COMES_BACK"
    elif function.result == "int" and not NO_CODES.match(name):
        macro = "IS_REFUSED"
    elif function.result == "void*":
        macro = "IS_NULL_OR_ENDS"
    else:
        macro = "ENDS"
    calls = [call]
    if name in BY_HANDLE and parameter.name == "comm":
        by_handle = f"{name}_fortran({', '.join(arguments)})"
        calls.append(by_handle.replace(value, f"MPI_Comm_c2f({value})"))
    return [f"{macro}({one})" for one in calls]


if __name__ == "__main__":
    texts = [(HEADERS / f"{name}.h").read_text(encoding="utf-8") for name in NAMES]
    everything = [one for text in texts for one in functions(text) if one.name not in OWN]
    Interface(WITHOUT_CASES, right, wrong, checks).write(Path(sys.argv[1]), everything)
