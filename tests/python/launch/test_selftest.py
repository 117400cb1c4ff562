# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts of the self-test on synthetic measurements."""

import json
from typing import Any

import pytest

from stretto.errors import RunError
from stretto.launch.selftest import judge

RATE = 500e6


class Network:
    """A synthetic network; figures can be wrong always or for the first `recovers_after` measurements."""

    def __init__(self, rate: float = RATE, **wrong: float) -> None:
        self.rate = rate
        self.figures = {
            "fraction": 0.956,
            "idle": 1.0,
            "interrupts": 0.2e-9,
            "process": 0.6e-9,
            "stolen": 0.0,
        }
        self.wrong = wrong
        self.calls: list[tuple[Any, ...]] = []
        self.recovers_after = 10**9

    def figure(self, name: str) -> float:
        recovered = len(self.calls) > self.recovers_after
        return self.wrong.get(name, self.figures[name]) if not recovered else self.figures[name]

    def __call__(self, command: str, *options: str, sender: int, receiver: int) -> list[dict[str, Any]]:
        self.calls.append((command, sender, receiver, *options))
        return {"stream": self.stream, "transfer": self.transfer, "bound": self.bound}[command](
            options, sender == receiver
        )

    def stream(self, options: tuple[str, ...], unshaped: bool) -> list[dict[str, Any]]:
        size = int(options[1])
        seconds = size * 8 / (20e9 if unshaped else self.figure("fraction") * self.rate)
        process = 0.5e-9 if unshaped else self.figure("process")
        return [
            {
                "stream": size,
                "seconds": seconds,
                "process_cpu_s": process * size,
                "interrupt_cpu_s": (0.2e-9 if unshaped else self.figure("interrupts")) * size,
            }
        ]

    def transfer(self, options: tuple[str, ...], _: bool) -> list[dict[str, Any]]:
        return [
            {"transfer": size, "after": after, "time_s": size * 8 / self.rate * factor * noise}
            for size in map(int, options[1].split(","))
            for after, factor in (("idle", self.figure("idle")), ("transfer", 1.0))
            for noise in (1.0, 1.5, 1.01)
        ]

    def bound(self, options: tuple[str, ...], _: bool) -> list[dict[str, Any]]:
        stolen = self.figure("stolen") * (2 if "--both-ways" in options else 1)
        alone = [1.0, 1.02, 0.98, 1.01, 0.99]
        return [
            {
                **{"T_c": time, "T_w": time, "T_t": time * (1 + stolen)},
                **{"computing_alone_s": time, "computing_together_s": time * (1 + stolen)},
            }
            for time in alone
        ]


def test_a_good_network_is_taken_with_its_figures() -> None:
    result = judge(Network(stolen=0.05), 2, RATE)
    assert result.stream_fraction == pytest.approx((0.956, 0.956))
    assert result.idle_difference == pytest.approx({256 << 10: 0.0, 1 << 20: 0.0, 8 << 20: 0.0})
    assert result.shaper_cpu_s_per_byte == pytest.approx(0.1e-9)
    assert [(bound.direction, bound.eta.n) for bound in result.bounds] == [("one-way", 5), ("both-ways", 5)]
    assert [bound.eta.value for bound in result.bounds] == pytest.approx([0.95, 0.9])
    assert [bound.kappa.value for bound in result.bounds] == pytest.approx([1.05, 1.1])
    for bound in result.bounds:
        assert bound.eta.ci95_low <= bound.eta.value <= bound.eta.ci95_high


def test_every_host_sends_and_receives_a_stream() -> None:
    network = Network()
    judge(network, 4, RATE)
    streams = [call[1:3] for call in network.calls if call[0] == "stream" and call[1] != call[2]]
    assert streams == [(0, 1), (1, 2), (2, 3), (3, 0)]


def test_the_bounds_go_into_the_samples_as_rows() -> None:
    lines = judge(Network(stolen=0.05), 2, RATE).sample_lines()
    assert lines.endswith("\n")
    one_way, both_ways = map(json.loads, lines.splitlines())
    assert (one_way["row"], one_way["direction"], both_ways["direction"]) == ("bound", "one-way", "both-ways")
    assert (one_way["value"], one_way["n"]) == (pytest.approx(0.95), 5)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"fraction": 0.5}, r"stream from host 0 to host 1 reached 0\.500 of the rate, not 0\.9 to 1\.0"),
        ({"fraction": 1.2}, r"stream .* reached 1\.200 of the rate"),
        ({"idle": 0.8}, r"262144 bytes after idle took 0\.800 times one back to back"),
        ({"idle": 1.06}, r"262144 bytes after idle took 1\.060 times one back to back"),
        ({"interrupts": 9e-9}, r"took 8\.80 ms of processor time per MB"),
        ({"process": 9e-9}, r"took 8\.50 ms of processor time per MB"),
    ],
)
def test_a_wrong_network_is_refused_with_the_figure(wrong: dict[str, float], says: str) -> None:
    with pytest.raises(RunError, match=says):
        judge(Network(**wrong), 2, RATE)


@pytest.mark.parametrize("wrong", [{"fraction": 0.5}, {"idle": 1.3}, {"interrupts": 9e-9}])
def test_a_passing_disturbance_does_not_condemn_it(wrong: dict[str, float]) -> None:
    network = Network(**wrong)
    network.recovers_after = 5 if "idle" in wrong else 2
    assert judge(network, 2, RATE).stream_fraction[0] == pytest.approx(0.956)


@pytest.mark.parametrize(("rate", "sizes"), [(500e6, [256 << 10, 1 << 20, 8 << 20]), (10e6, [256 << 10])])
def test_a_slow_network_is_not_kept_busy_for_long(rate: float, sizes: list[int]) -> None:
    assert list(judge(Network(rate=rate), 2, rate).idle_difference) == sizes
