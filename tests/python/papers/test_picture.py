# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the papers' figures are well-formed SVG whose bars and points stand where the values are."""

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from validation.papers.figures import Plot, Series
from validation.papers.picture import Axis, picture

SVG = "{http://www.w3.org/2000/svg}"


def rectangles(plot: Plot) -> list[dict[str, str]]:
    root = ElementTree.fromstring(picture(plot, "a <title> & more"))
    assert root.find(f"{SVG}title").text == "a <title> & more"  # type: ignore[union-attr]
    return [one.attrib for one in root.iter(f"{SVG}rect")][1 + len(plot.series) :]


def test_stacked_bars_stand_on_each_other_in_proportion() -> None:
    plot = Plot("case", "s", [Series("a", [1.0, 2.0]), Series("b", [3.0, 2.0])], ["x", "y"], stacked=True)
    a, b, c, d = rectangles(plot)
    assert float(b["height"]) == pytest.approx(3 * float(a["height"]), abs=0.2)
    assert float(b["y"]) + float(b["height"]) == pytest.approx(float(a["y"]), abs=0.2)
    assert float(d["y"]) == pytest.approx(float(b["y"]), abs=0.2)
    assert a["x"] == b["x"] != c["x"]


def test_other_bars_stand_next_to_each_other_and_negative_ones_hang() -> None:
    first, second = rectangles(Plot("case", "s", [Series("a", [2.0]), Series("b", [-1.0])], ["x"]))
    assert float(second["x"]) > float(first["x"])
    assert float(first["y"]) + float(first["height"]) == pytest.approx(float(second["y"]), abs=0.2)


@pytest.mark.parametrize("name", ["MPI's time over the other one", "\u5bbd" * 14])
def test_a_long_name_of_the_values_stays_inside(name: str) -> None:
    root = ElementTree.fromstring(picture(Plot("case", name, [Series("a", [2.0])], ["x"]), "t"))
    (label,) = [one for one in root.iter(f"{SVG}text") if one.text == name]
    assert float(label.attrib["x"]) >= 5 * cell_len(name)


def test_names_of_wide_characters_do_not_overlap() -> None:
    names = ["\u5bbd" * 20, "b"]
    plot = Plot("case", "s", [Series(name, [1.0]) for name in names], ["x"])
    texts = ElementTree.fromstring(picture(plot, "t")).iter(f"{SVG}text")
    first, second = (float(one.attrib["x"]) for one in texts if one.text in names)
    assert second - first >= 5 * cell_len(names[0])


def test_a_missing_value_leaves_its_bar_out() -> None:
    assert len(rectangles(Plot("case", "s", [Series("a", [math.nan, 1.0])], ["x", "y"]))) == 1


def test_lines_are_logarithmic_where_asked() -> None:
    plot = Plot("bytes", "s", [Series("a", [1.0, 10.0, 100.0], [1, 10, 100])], log_x=True, log_y=True)
    root = ElementTree.fromstring(picture(plot, "lines"))
    points = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in root.iter(f"{SVG}circle")]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.3) and y0 - y1 == pytest.approx(y1 - y2, abs=0.3)


@given(
    st.lists(st.floats(-1e9, 1e9) | st.just(math.nan), min_size=1, max_size=40),
    st.booleans(),
    st.booleans(),
)
def test_any_values_give_a_picture(values: list[float], stacked: bool, log_y: bool) -> None:
    groups = [f"g<{place}>" for place in range(len(values))]
    ElementTree.fromstring(
        picture(Plot("x", "y", [Series("a&b", values)], groups, stacked, log_y=log_y), "t")
    )
    places = [float(one + 1) for one in range(len(values))]
    ElementTree.fromstring(picture(Plot("x", "y", [Series("a", values, places)], log_y=log_y), "t"))


def test_an_axis_has_about_five_round_ticks() -> None:
    assert Axis(0, 0.83, 200, 20).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert Axis(8, 2000, 0, 100, True).ticks() == [10, 100, 1000]
    assert Axis(0, 10, 200, 20).at(5) == 110
    assert Axis(0, 5e-324, 200, 20).ticks() == [0]


@pytest.mark.parametrize(
    ("value", "label"), [(512, "512"), (65536, "64K"), (1 << 20, "1M"), (5000, "5000"), (0.25, "0.25")]
)
def test_places_of_lines_are_short_labels(value: float, label: str) -> None:
    plot = Plot("bytes", "s", [Series("a", [1.0, 2.0], [value, 2 * value])], log_x=True)
    assert f">{label}</text>" in picture(plot, "lines")
