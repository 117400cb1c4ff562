# SPDX-License-Identifier: BSD-3-Clause
"""The words of calls.txt: the parameters of each, and the arguments passed to the recorder."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Word:
    """One word of calls.txt: its parameters, and the recorder's arguments.

    `types` are C types; `N`, `D` and `A` become counts, displacements and addresses. In the texts, `{0}` is
    the first parameter's name. `noted` is the recorder's argument (`fortran` where that differs), `before` a
    declaration before the call, and `passed` the argument that replaces the parameter. `{comm}` is the
    call's communicator, `{stores}` whether the call stores a result on this rank.
    """

    types: tuple[str, ...]
    noted: str = ""
    fortran: str = ""
    before: str = ""
    passed: str = ""
    sends: bool = True


def _amount(*types: str, noted: str, sends: bool = True) -> Word:
    fortran = noted
    for index, one in enumerate(types):
        name = f"{{{index}}}"
        if one == "MPI_Datatype":
            fortran = fortran.replace(name, f"MPI_Type_f2c(*fint({name}))")
        elif one == "const MPI_Datatype*":
            fortran = fortran.replace(name, f"fortran_types({name})")
        elif one in ("const N*", "const D*"):
            fortran = fortran.replace(name, f"fint({name})")
        elif one == "const MPI_Aint*":
            fortran = fortran.replace(name, f"static_cast<const MPI_Aint*>({name})")
        elif one == "N":
            fortran = fortran.replace(name, f"*fint({name})")
        elif "void*" in one:
            fortran = fortran.replace(name, f"fortran_buffer({name})")
    return Word(types, noted, fortran.replace("{comm}", "MPI_Comm_f2c(*fint({comm}))"), sends=sends)


def _handle(name: str, pointer: bool = False) -> Word:
    convert = f"{name}_f2c(*fint({{0}}))".replace("MPI_Datatype", "MPI_Type")
    return Word((name + "*",) if pointer else (name,), "*{0}" if pointer else "{0}", convert)


SEND, RECEIVE = "const void*", "void*"
INT = Word(("int",), "{0}", "*fint({0})")
IGNORED_INT = Word(("int",))
STATUS = Word(
    ("MPI_Status*",),
    "given_{0}.values()",
    before="const {fortran}Statuses given_{0}(call, 1, {0});",
    passed="given_{0}.pointer()",
)
STATUSES = replace(STATUS, before="const {fortran}Statuses given_{0}(call, {length}, {0}, requests_before);")
BEFORE_ONE = "const {fortran}Requests requests_before(call, 1, {0});"
BEFORE_ALL = "const {fortran}Requests requests_before(call, {length}, {0});"

# The memory that a call may access, by its words: spans of (buffer, count, datatype); by default, all memory.
LENT = {"S": ((0, 1, 2),), "R": ((0, 1, 2),), "B": ((0, 1, 2),), "SR": ((0, 2, 3), (1, 2, 3))}
# Words with a block of that count for each peer, and the number of peers.
PEERS: dict[str, str] = {}
LENT_ALL = re.compile(r"SRV|[SR][VWX]N?|[sr]buf|new_window")

WORDS = {
    "S": _amount(SEND, "N", "MPI_Datatype", noted="amount({0}, {1}, {2})"),
    "R": _amount(RECEIVE, "N", "MPI_Datatype", noted="amount({0}, {1}, {2})", sends=False),
    "B": _amount(RECEIVE, "N", "MPI_Datatype", noted="amount({0}, {1}, {2})"),
    "SR": _amount(SEND, RECEIVE, "N", "MPI_Datatype", noted="amount_reduced({0}, {1}, {2}, {3}, {stores})"),
    "SRV": _amount(
        SEND,
        RECEIVE,
        "const N*",
        "MPI_Datatype",
        noted="amount_scattered({1}, {2}, {3}, members_of({comm}), rank_in({comm}))",
    ),
    "F": _amount(SEND, RECEIVE, "MPI_Datatype", noted="amount({1}, 1, {2})"),
    "C": _amount(SEND, SEND, RECEIVE, "MPI_Datatype", noted="amount({2}, 1, {3})"),
    "T": Word(("N", "MPI_Datatype")),
    "N": Word(("N",)),
    "rank": INT,
    "root": INT,
    "tag": INT,
    "length": INT,
    "partition": INT,
    "partitions": INT,
    "partition_list": Word(("const int*",), "{0}", "fint({0})"),
    "int": IGNORED_INT,
    "out_int": Word(("int*",)),
    "out_ints": Word(("int*",)),
    "out_count": Word(("N*",)),
    "chars": Word(("const char*",)),
    "char_lists": Word(("char**",)),
    "argv_list": Word(("char**",)),
    "argv_lists": Word(("char***",)),
    "sizes": Word(("const N*",)),
    "unit": Word(("D",)),
    "hdisp": Word(("A",)),
    "hdisps": Word(("const A*",)),
    "aint": Word(("A",)),
    "aint_position": Word(("A*",)),
    "infos": Word(("const MPI_Info*",)),
    "data": Word((SEND,)),
    "stringtag": Word(("const char*",), "{0}"),
    "errhandler": Word(("MPI_Errhandler",)),
    "new_session": Word(("MPI_Session*",)),
    "old_session": Word(("MPI_Session*",)),
    "a_comm": Word(("MPI_Comm*",)),
    "comm_only": Word(("MPI_Comm",)),
    "window_only": Word(("MPI_Win",)),
    "a_request": Word(("MPI_Request",)),
    "some_requests": Word(("const MPI_Request*",)),
    "a_status": Word(("MPI_Status*",)),
    "argc": Word(("int*",)),
    "argv": Word(("char***",)),
    "ints": Word(("const int*",)),
    "disp": Word(("MPI_Aint",)),
    "position": Word(("N*",)),
    "COUNT": Word(("MPI_Count",), "{0}", "*static_cast<const MPI_Count*>({0})"),
    "size": Word(("MPI_Aint",), "{0}", "*static_cast<const MPI_Aint*>({0})"),
    "pointer": Word((RECEIVE,)),
    "sbuf": Word((SEND,), "{0}", "fortran_buffer({0})"),
    "rbuf": Word((RECEIVE,), "{0}", "fortran_buffer({0})"),
    "type": _handle("MPI_Datatype"),
    "types": Word(("const MPI_Datatype*",)),
    "old_type": Word(("MPI_Datatype*",)),
    "new_type": Word(("MPI_Datatype*",)),
    "op": Word(("MPI_Op",)),
    "info": Word(("MPI_Info",)),
    "group": Word(("MPI_Group",)),
    "partners": _handle("MPI_Group"),
    "comm": _handle("MPI_Comm"),
    "new_comm": _handle("MPI_Comm", pointer=True),
    "old_comm": Word(("MPI_Comm*",), "old_{0}", before="FreedComm old_{0}(call, {handle});"),
    "window": _handle("MPI_Win"),
    "new_window": _handle("MPI_Win", pointer=True),
    "old_window": Word(("MPI_Win*",), "old_{0}", before="FreedWindow old_{0}(call, {handle});"),
    "request": _handle("MPI_Request"),
    "new_request": _handle("MPI_Request", pointer=True),
    "old_request": Word(("MPI_Request*",), "requests_before", before=BEFORE_ONE),
    "freed_request": Word(("MPI_Request*",), "old_{0}", before="FreedRequest old_{0}(call, {handle});"),
    "requests": Word(("MPI_Request*",), "requests_before", before=BEFORE_ALL),
    "status": STATUS,
    "statuses": STATUSES,
    "flag": Word(("int*",), "*{0}", "*fint({0})"),
    "index": Word(("int*",), "*{0}", "c_index(*fint({0}))"),
    "outcount": Word(("int*",), "*{0}", "*fint({0})"),
    "indices": Word(("int*",), "{0}", "CIndices(fint({0}))"),
    "new_message": _handle("MPI_Message", pointer=True),
    "old_message": Word(
        ("MPI_Message*",), "old_{0}", before="const MatchedMessage old_{0} = matched_before(call, {handle});"
    ),
}
for _letter, _buffer in (("S", SEND), ("R", RECEIVE)):
    for _end, _peers in (("", "peers_of({comm})"), ("N", f"degree_{_letter.lower()}({{comm}})")):
        PEERS[f"{_letter}B{_end}"] = _peers
        LENT[f"{_letter}B{_end}"] = LENT[_letter]
        WORDS[f"{_letter}B{_end}"] = _amount(
            _buffer,
            "N",
            "MPI_Datatype",
            noted=f"amount({{0}}, {{1}}, {{2}}, {_peers})",
            sends=_letter == "S",
        )
        WORDS[f"{_letter}V{_end}"] = _amount(
            _buffer,
            "const N*",
            "const D*",
            "MPI_Datatype",
            noted=f"amount({{0}}, {{1}}, {{2}}, {{3}}, {_peers})",
            sends=_letter == "S",
        )
        for _third, _displacement in (("W", "const D*"), ("X", "const MPI_Aint*")):
            WORDS[f"{_letter}{_third}{_end}"] = _amount(
                _buffer,
                "const N*",
                _displacement,
                "const MPI_Datatype*",
                noted=f"amount_of_types({{0}}, {{1}}, {{2}}, {{3}}, {_peers})",
                sends=_letter == "S",
            )
