# SPDX-License-Identifier: BSD-3-Clause
"""Platforms have all figures with sources; hostile files are refused in one line."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stretto.errors import UserError
from stretto.launch.platform_xml import read_hosts
from stretto.launch.platforms import find_platform, list_platforms, place_ranks

SHIPPED = ("appro", "bassi", "clic", "fsn", "hdr200", "jacquard", "lemieux", "t3e", "thunder")
DOCTYPE = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
CLUSTER = '<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" core="2" bw="1GBps" lat="1us"/>'


def wrapped(body: str, version: str = "4.1") -> str:
    return f'<?xml version="1.0"?>\n{DOCTYPE}\n<platform version="{version}">\n{body}\n</platform>\n'


def written(folder: Path, text: str | bytes, sidecar: object = None) -> Path:
    path = folder / "mine.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if sidecar is not None:
        path.with_suffix(".json").write_text(sidecar if isinstance(sidecar, str) else json.dumps(sidecar))
    return path


def refusal(name_or_path: object) -> str:
    with pytest.raises(UserError) as caught:
        find_platform(str(name_or_path))
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_papers_machines_and_a_modern_one_are_shipped() -> None:
    assert tuple(platform.name for platform in list_platforms()) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_every_figure_has_a_source_and_agrees_with_the_hosts(name: str) -> None:
    platform = find_platform(name)
    needed = {
        "nodes", "cores_per_node", "core_flops_per_s", "latency_s", "wire_latency_s", "overhead_send_s",
        "overhead_receive_s", "bandwidth_bytes_per_s", "eager_limit_bytes",
    }  # fmt: skip
    if platform.figure("cores_per_node", 1) > 1:
        needed |= {"node_latency_s", "node_bandwidth_bytes_per_s"}
    assert needed <= set(platform.figures)
    assert platform.description
    assert all(len(figure.source) > 5 for figure in platform.figures.values())
    assert sum(len(group) for group in platform.hosts) == platform.figure("nodes", 0)
    assert {group.cores for group in platform.hosts} == {platform.figure("cores_per_node", 0)}
    parts = [platform.figure(part, 0) for part in ("overhead_send_s", "wire_latency_s", "overhead_receive_s")]
    assert platform.figure("latency_s", 0) == pytest.approx(sum(parts))


def test_programs_learn_what_a_reduction_costs_where_the_machine_says_so() -> None:
    clic = find_platform("clic")
    (flops,) = clic.environment().values()
    assert float(flops) / clic.figure("core_flops_per_s", 1) == pytest.approx(
        1 / clic.figure("reduce_bytes_per_s", 0)
    )
    assert find_platform("t3e").environment() == {}


@pytest.mark.parametrize("name", SHIPPED)
def test_the_xml_names_a_source_for_each_of_its_numbers(name: str) -> None:
    text = find_platform(name).xml.decode()
    comment = text[text.index("<!--") : text.index("-->")]
    kinds = "paper|vendor|measurement|estimate|calibration"
    numbers = re.findall(r'(\w+)="[\d.]', text[text.index("<cluster") :])
    assert {"radical", "speed", "core", "bw", "lat"} <= set(numbers)
    for attribute in numbers:
        assert re.search(rf"^ +{attribute}\b[^:]*: ({kinds}): \w", comment, re.M)


def test_calibrated_overheads_are_labelled() -> None:
    for name in ("jacquard", "bassi"):
        platform = find_platform(name)
        assert platform.figures["gap_queue_s"].kind == "calibration"
        assert "calibrated" in platform.figures["overhead_send_s"].source


def test_a_users_platform_file_needs_no_figures(tmp_path: Path) -> None:
    platform = find_platform(str(written(tmp_path, wrapped(CLUSTER))))
    assert (platform.name, platform.figures) == ("mine", {})
    assert platform.smpi_options()["smpi/os"] == "0:0.0:0"


def test_its_sidecar_sets_overheads(tmp_path: Path) -> None:
    figures = {"overhead_send_s": {"value": 2e-6, "kind": "estimate", "source": "a guess"}}
    sidecar = {"schema": "stretto.platform/1.3", "name": "own", "figures": figures, "later": 1}
    platform = find_platform(str(written(tmp_path, wrapped(CLUSTER), sidecar)))
    assert platform.name == "own"
    assert platform.smpi_options()["smpi/ois"] == "0:2e-06:0"


@pytest.mark.parametrize(
    ("ranks", "per_node", "hosts"),
    [
        (2, None, ["n0", "n1"]),
        (5, None, ["n0", "n0", "n1", "n1", "n2"]),
        (4, 2, ["n0", "n0", "n1", "n1"]),
        (8, None, ["n0", "n0", "n1", "n1", "n2", "n2", "n3", "n3"]),
    ],
)
def test_ranks_take_a_node_each_and_share_when_they_must(
    tmp_path: Path, ranks: int, per_node: int | None, hosts: list[str]
) -> None:
    assert place_ranks(find_platform(str(written(tmp_path, wrapped(CLUSTER)))), ranks, per_node) == hosts


@pytest.mark.parametrize(("ranks", "per_node"), [(9, None), (5, 1), (2, 3), (2, 0)])
def test_more_ranks_than_it_holds_are_refused(tmp_path: Path, ranks: int, per_node: int | None) -> None:
    platform = find_platform(str(written(tmp_path, wrapped(CLUSTER))))
    with pytest.raises(UserError, match=rf"-n {ranks}.*4 nodes of 2 cores"):
        place_ranks(platform, ranks, per_node)


def test_hosts_are_counted_without_being_made() -> None:
    cabinets = '<cabinet id="k" prefix="a" suffix="z" radical="0-9,20,30-39" speed="1Gf" bw="1Bps" lat="1s"/>'
    groups = read_hosts(Path("p.xml"), wrapped('<host id="h" speed="1f"/>' + cabinets).encode())
    assert [len(group) for group in groups] == [1, 21]
    assert [list(group.names())[-1] for group in groups] == ["h", "a39z"]


OUTSIDE = "<!ENTITY e SYSTEM 'file:///etc/passwd'>"
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(10))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "malformed XML"),
        ("hosts: 4", r"xml:1: malformed XML"),
        (b"\xff\xfe\x00\x00\x01", "malformed XML"),
        (wrapped(CLUSTER)[:-20], "malformed XML"),
        (wrapped("<host id='h' speed='1f'>"), r"xml:5: malformed XML: mismatched tag"),
        (f"<!DOCTYPE platform [{LAUGHS}]><platform version='4.1'>&l9;</platform>", "DOCTYPE"),
        (f"<!DOCTYPE platform SYSTEM 'x' [{OUTSIDE}]><platform>&e;</platform>", "DOCTYPE"),
        (wrapped("&undefined;"), "xml:4: entities are not taken"),
        ("<html version='4.1'/>", r"not a SimGrid platform: its root is <html>"),
        (wrapped(CLUSTER, version="3"), "version 3 instead of 4.1"),
        (wrapped(CLUSTER).replace(DOCTYPE, ""), "SimGrid wants the line"),
        (wrapped('<zone id="z" routing="Full"/>'), "without hosts"),
        (wrapped('<include file="/etc/passwd"/>' + CLUSTER), "<include> is not taken"),
        (wrapped('<config><prop id="smpi/replay" value="x"/></config>' + CLUSTER), "<config> is not taken"),
        (wrapped('<actor host="n0" function="f"/>' + CLUSTER), "<actor> is not taken"),
        (wrapped('<host id="h" speed="1f" speed_file="/etc/passwd"/>'), "<host> speed_file is not taken"),
        (wrapped('<link id="l" bandwidth="1Bps" latency_file="x"/>' + CLUSTER), "latency_file is not taken"),
        (wrapped(CLUSTER.replace('lat="1us"', "")), "<cluster> lacks its attribute lat"),
        (wrapped(CLUSTER.replace("0-3", "3-0")), "radical"),
        (wrapped(CLUSTER.replace("0-3", "0-999999999")), "more than 1000000 hosts"),
        (wrapped(CLUSTER.replace('core="2"', 'core="0"')), "not a count of cores"),
        (wrapped(CLUSTER.replace('core="2"', 'core="1\u0662"')), "not a count of cores"),
        (wrapped(CLUSTER.replace("0-3", "0-\u0663")), "radical"),
        (wrapped(CLUSTER.replace("1Gf", "\u0661Gf")), "is not like"),
        (wrapped('<host id="a b" speed="1f"/>'), "white space"),
        (wrapped(CLUSTER.replace("1GBps", "0GBps")), 'bw="0GBps"'),
        (wrapped(CLUSTER.replace("1us", "-1us")), 'lat="-1us"'),
        (wrapped(CLUSTER.replace("1Gf", "nan")), 'speed="nan"'),
        (wrapped('<zone id="z" routing="Full">' * 100 + "</zone>" * 100), "nested"),
    ],
)
def test_hostile_platforms_are_refused_in_one_line(tmp_path: Path, text: str | bytes, says: str) -> None:
    message = refusal(written(tmp_path, text))
    assert str(tmp_path / "mine.xml") in message
    assert re.search(says, message)


@pytest.mark.parametrize(
    ("sidecar", "says"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ("[]", "is a list, not an object"),
        ({}, "schema is missing"),
        ({"schema": "stretto.platform/2.0"}, "this stretto reads platform/1.x"),
        ({"schema": "stretto.platform/1.0", "figures": []}, "figures is a list, not an object"),
        ({"schema": "stretto.platform/1.0", "name": 7}, "name is 7, not a text"),
        ('{"schema": "stretto.platform/1.0", "figures": {"latency_s": {"value": NaN}}}', "NaN"),
    ],
)
def test_hostile_sidecars_are_refused_in_one_line(tmp_path: Path, sidecar: object, says: str) -> None:
    message = refusal(written(tmp_path, wrapped(CLUSTER), sidecar))
    assert str(tmp_path / "mine.json") in message
    assert says in message


@pytest.mark.parametrize(
    ("name", "figure", "says"),
    [
        ("latency", {}, "figures.latency is not known"),
        ("latency_s", 4e-6, "figures.latency_s is 4e-06, not an object"),
        ("latency_s", {"value": -1e-6, "kind": "paper", "source": "p. 1"}, "is -1e-06, not within 0"),
        ("latency_s", {"value": True, "kind": "paper", "source": "p. 1"}, "is true, not a number"),
        ("latency_s", {"value": 1e-6, "kind": "hearsay", "source": "p. 1"}, 'kind is "hearsay", not one of'),
        ("latency_s", {"value": 1e-6, "kind": "paper", "source": " "}, "source is missing"),
    ],
)
def test_a_figure_needs_unit_sign_and_source(tmp_path: Path, name: str, figure: object, says: str) -> None:
    sidecar = {"schema": "stretto.platform/1.0", "figures": {name: figure}}
    assert says in refusal(written(tmp_path, wrapped(CLUSTER), sidecar))


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    message = refusal("jaquard")
    assert all(name in message for name in SHIPPED)


def test_missing_files_and_things_that_are_not_files_are_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.xml")
    assert "no such file" in refusal(tmp_path)
    assert "no such file" in refusal("/dev/zero")


def test_a_library_is_never_loaded_as_a_platform() -> None:
    """SimGrid would load and run a platform whose name ends in .so."""
    loaded = Path("/proc/self/maps").read_text(encoding="utf-8").split()
    library = next(one for one in loaded if Path(one).name.startswith("libc.so"))
    assert "malformed XML" in refusal(library)


@settings(max_examples=200, deadline=None)
@given(cut=st.integers(0, 400), flips=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 7)), max_size=4))
def test_damaged_files_give_a_platform_or_a_refusal(cut: int, flips: list[tuple[int, int]]) -> None:
    damaged = bytearray(wrapped(CLUSTER).encode())
    for place, bit in flips:
        damaged[place % len(damaged)] ^= 1 << bit
    try:
        groups = read_hosts(Path("p.xml"), bytes(damaged[: len(damaged) - cut]))
    except UserError as error:
        assert str(error).startswith("p.xml")
    else:
        assert sum(len(group) for group in groups) >= 1


@pytest.mark.parametrize("name", SHIPPED)
def test_the_documents_table_has_the_figures_of_the_files(name: str) -> None:
    text = (Path(__file__).parents[3] / "docs" / "platforms.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
    cells = [cell.split() for cell in row.strip("| ").split("|")[2:]]
    units = {
        "nodes": 1.0, "cores_per_node": 1.0, "latency_s": 1e-6, "wire_latency_s": 1e-6, "overhead_send_s": 1e-6,
        "overhead_receive_s": 1e-6, "bandwidth_bytes_per_s": 1e6, "bus_bandwidth_bytes_per_s": 1e6,
    }  # fmt: skip
    figures = find_platform(name).figures
    assert len(cells) == len(units)
    for cell, (figure, unit) in zip(cells, units.items(), strict=True):
        if figure not in figures:
            assert cell == ["-"]
        else:
            assert float(cell[0]) == pytest.approx(figures[figure].value / unit)
            assert cell[1] == figures[figure].kind[0]
