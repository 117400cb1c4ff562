# SPDX-License-Identifier: BSD-3-Clause
"""Calls of every function of the C interface with each of its arguments wrong: `wrong_arguments.py OUT HEADER...`.

Each call must return an error; none may crash or wait.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wrong_calls import Interface, Parameter, found_in  # isort: skip (it finds the others)
from fortran_interfaces import Function, functions

# A right value, by name; where the type matters, too, by `type name`; of one function by `function.name`.
RIGHT = {
    "runtime": "runtime", "region": "region", "team": "team", "other": "team", "remote": "remote", "mutexes": "mutexes",
    "aggregate": "aggregate", "stretto_runtime** runtime": "&made_runtime", "stretto_region** region": "&made_region",
    "stretto_team** team": "&made_team", "part": "&made_team", "stretto_remote_function** remote": "&made_remote",
    "stretto_mutexes** mutexes": "&made_mutexes", "stretto_aggregate** aggregate": "&made_aggregate",
    "const stretto_fft* plan": "fft", "stretto_fft* plan": "fft", "stretto_fft** plan": "&made_fft",
    "const stretto_spmv* plan": "spmv", "stretto_spmv* plan": "spmv", "stretto_spmv** plan": "&made_spmv",
    "request": "&made_request", "stretto_handle** handle": "&made_handle", "stretto_handle* handle": "NULL",
    "handles": "made_handles", "communicator": "MPI_COMM_WORLD", "int communicator": "MPI_Comm_c2f(MPI_COMM_WORLD)",
    "MPI_Comm* communicator": "&made_communicator", "int* communicator": "&number", "int* world": "&number",
    "target": "0", "owner": "0", "member": "0", "root": "0", "int runtime_rank": "0", "int source": "0",
    "color": "0", "key": "0", "code": "0", "levels": "1", "type": "STRETTO_INT64", "element_type": "STRETTO_INT64",
    "operation": "0", "flag_operation": "0", "reduction": "0", "int count": "ranks", "const int[] ranks": "all_ranks",
    "offset": "0", "flag_offset": "32", "size_bytes": "8", "row_bytes": "8", "count": "1", "index": "0", "rows": "1",
    "x_count": "1", "y_count": "1", "in_count": "numbers_in", "out_count": "numbers_in", "flag_value": "1", "value": "1",
    "desired": "1", "int32_t expected": "1", "int64_t expected": "1", "counts": "counts", "local_strides": "strides",
    "remote_strides": "strides", "const stretto_put_piece[] pieces": "put_pieces",
    "const stretto_get_piece[] pieces": "get_pieces", "conditions": "conditions", "column": "column", "start": "start",
    "const double[] value": "elements", "x": "elements", "y": "results", "function": "ignore_call", "profile": "NULL",
    "options": "&options", "const stretto_fft_settings* settings": "&fft_settings",
    "stretto_fft_settings* settings": "&other_fft_settings", "const stretto_spmv_settings* settings": "NULL",
    "stretto_spmv_settings* settings": "&spmv_settings", "factor": "NULL", "context": "NULL", "before": "NULL",
    "int32_t* before": "&narrow", "int64_t* before": "&wide", "seen": "NULL", "reason": "&reason",
    "counters": "&counters", "timers": "&timers", "uint64_t* count": "&unsigned_wide", "messages": "&unsigned_wide",
    "size_t* size_bytes": "&size", "size_t* count": "&size", "size_t* index": "&size", "size_t* ranks": "&size",
    "found": "&size", "elements": "&size", "copy_bytes": "&size", "memory_bytes": "&size", "address": "&address",
    "first": "first", "size_t[] count": "first", "indices": "first", "complete": "&number", "node": "&number",
    "pending": "&number", "protocol": "&number", "raised": "&number", "int* rank": "&number",
    "int* runtime_rank": "&number", "memory": "memory", "in": "fft_in", "out": "fft_out",
}  # fmt: skip
DATA = {
    "source",
    "sink",
    "payload",
    "mine",
    "all",
    "blocks",
    "received",
    "result",
    "data",
    "operand",
    "fetched",
    "expected",
}

RANKS = ("-1", "ranks", "INT_MIN", "INT_MAX")
CONSTANTS = ("-1", "99", "INT_MIN", "INT_MAX")
# Wrong values of numbers, by name.
WRONG = {
    "target": RANKS, "owner": RANKS, "member": RANKS, "root": RANKS, "int runtime_rank": RANKS, "int source": RANKS,
    "type": CONSTANTS, "element_type": CONSTANTS, "operation": CONSTANTS, "flag_operation": CONSTANTS,
    "reduction": CONSTANTS, "levels": ("-1", "INT_MIN"), "int count": ("-1", "0", "INT_MIN"),
    "MPI_Comm communicator": ("MPI_COMM_NULL",), "int communicator": ("MPI_Comm_c2f(MPI_COMM_NULL)",),
    "offset": ("SIZE_MAX", "SIZE_MAX - 7", "4096"), "flag_offset": ("SIZE_MAX", "SIZE_MAX - 7", "4096", "36"),
    "size_bytes": ("SIZE_MAX", "SIZE_MAX - 7"), "index": ("1", "SIZE_MAX"), "rows": ("SIZE_MAX", "(size_t)1 << 32"),
    "stretto_region_create.size_bytes": ("SIZE_MAX", "SIZE_MAX / 2 + 1", "SIZE_MAX / 2 - 8"),
    "stretto_team_allgather.size_bytes": ("SIZE_MAX", "SIZE_MAX / 2 + 1"),
    "x_count": ("SIZE_MAX", "SIZE_MAX / 8 + 1"), "y_count": ("0", "SIZE_MAX"), "in_count": ("0", "SIZE_MAX"), "out_count": ("0", "SIZE_MAX"),
    "stretto_mutexes_create.count": ("SIZE_MAX", "SIZE_MAX / 24 + 1"), "stretto_wait_any.count": ("0",),
    "stretto_team_reduce.count": ("SIZE_MAX", "SIZE_MAX / 8 + 1"),
    "stretto_team_allreduce.count": ("SIZE_MAX", "SIZE_MAX / 8 + 1"),
    "stretto_nonblocking_team_reduce.count": ("SIZE_MAX", "SIZE_MAX / 8 + 1"),
    "stretto_nonblocking_team_allreduce.count": ("SIZE_MAX", "SIZE_MAX / 8 + 1"),
    "stretto_wait_any_signal.count": ("0",), "stretto_wait_some_signals.count": ("0",),
    "stretto_wait_all_signals.count": ("0",), "stretto_test_any_signal.count": ("0",),
}  # fmt: skip
# What has no wrong value, or none that the function can see: by name, or by function and name.
NEVER_WRONG = {
    "color", "key", "code", "flag_value", "desired", "row_bytes", "context", "before", "stretto_before_plane before",
    "factor", "profile", "seen", "int32_t expected", "int64_t expected", "int32_t value", "int64_t value", "uint64_t value",
    "const stretto_options* options", "const stretto_spmv_settings* settings", "stretto_handle* handle",
    "stretto_atomic.fetched", "stretto_nonblocking_atomic.fetched", "stretto_protocol_of.size_bytes",
    # Lengths of arrays, which C does not know: 0 is right, and more is beyond the array.
    "stretto_wait_all.count", "stretto_put_vector.count", "stretto_get_vector.count",
    "stretto_nonblocking_put_vector.count", "stretto_nonblocking_get_vector.count", "stretto_implicit_put_vector.count",
    "stretto_implicit_get_vector.count", "stretto_accumulate_vector.count", "stretto_nonblocking_accumulate_vector.count",
    "stretto_implicit_accumulate_vector.count", "stretto_aggregate_put_vector.count", "stretto_aggregate_get_vector.count",
    # Of the root alone: elsewhere NULL is right, and the call would wait for the root.
    "stretto_team_reduce.result", "stretto_nonblocking_team_reduce.result",
}  # fmt: skip
# Numbers whose errors name what they describe with other arguments, such as the place that an offset and a target are.
WITH_OTHERS = {
    "offset", "flag_offset", "size_bytes", "count", "in_count", "out_count", "x_count", "y_count", "owner", "source",
}  # fmt: skip
# Functions that return what they are asked for.
NUMBERS = {
    "stretto_rank",
    "stretto_size",
    "stretto_team_rank",
    "stretto_team_size",
    "stretto_region_rank",
    "stretto_region_size",
}
# No argument, or none that can be wrong: a handle that is NULL is complete, every code has a name, and no check is none.
WITHOUT_CASES = {
    "stretto_error_message", "stretto_version", "stretto_mpi_end", "stretto_error_name", "stretto_wait_source",
    "stretto_check_in_waits",
}  # fmt: skip


def is_pointer(parameter: Parameter) -> bool:
    return parameter.type.endswith(("*", "[]")) or parameter.type == "stretto_function"


def right(function: Function, parameter: Parameter) -> str:
    found = found_in(RIGHT, function, parameter)
    if found is None and parameter.name in DATA and parameter.type in ("void*", "const void*"):
        found = "bytes"
    if found is None:
        raise SystemExit(f"{function.name}: no right value is known for `{parameter.type} {parameter.name}`")
    return found


def wrong(function: Function, parameter: Parameter) -> tuple[str, ...]:
    name = parameter.name
    if f"{function.name}.{name}" in NEVER_WRONG or f"{parameter.type} {name}" in NEVER_WRONG:
        return ()
    found = None if is_pointer(parameter) else found_in(WRONG, function, parameter)
    if found is not None:
        return found
    if name in NEVER_WRONG and not (is_pointer(parameter) and name == "before"):
        return ()
    if is_pointer(parameter):
        empty = f"&no_{parameter.type.removeprefix('stretto_').removesuffix('**')}"
        return ("NULL", empty) if function.name.endswith("_free") else ("NULL",)
    raise SystemExit(f"{function.name}: no wrong value is known for `{parameter.type} {name}`")


def checks(function: Function, parameter: Parameter, value: str, arguments: Sequence[str]) -> list[str]:
    call = f"{function.name}({', '.join(arguments)})"
    if function.name in NUMBERS:
        return [f"IS_MINUS_ONE({call})"]
    is_named = value == "NULL" or parameter.name not in WITH_OTHERS
    return [f'IS_NAMED({call}, "{parameter.name}")' if is_named else f"IS_REFUSED({call})"]


if __name__ == "__main__":
    out, *headers = map(Path, sys.argv[1:])
    everything = [one for header in headers for one in functions(header.read_text(encoding="utf-8"))]
    called = len(everything) - len(WITHOUT_CASES)
    count = f"const int functions_called = {called};"
    Interface(WITHOUT_CASES, right, wrong, checks).write(out, everything, (count,))
