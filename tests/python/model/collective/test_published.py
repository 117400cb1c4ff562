# SPDX-License-Identifier: BSD-3-Clause
"""The published coefficients give the figures and the win table of the paper."""

from pathlib import Path

import pytest
from synthetic_collectives import predict, predict_two_phase

from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.model.collective.choice import choose
from stretto.model.collective.functions import Functions
from stretto.model.collective.two_phase import Grid

KIB = 1024
CLIC = Functions(read_profile(profile_path(Path("clic"))).collectives)
T3E = Functions(read_profile(profile_path(Path("t3e"))).collectives)


@pytest.mark.parametrize(
    ("operation", "members", "us_per_byte"),
    [
        ("broadcast", 4, -0.085 + 4 * 0.092),
        ("broadcast", 5, 0.0383 + 0.474 * 2.321928),
        ("broadcast", 96, 0.0383 + 0.474 * 6.584963),
        ("reduce", 4, -0.103 + 4 * 0.105),
        ("reduce", 96, 0.141 + 6 * 0.101),  # floor(log2 95) = 6
        ("scatter", 96, -0.0730 + 96 * 0.0897),
        ("allreduce", 96, 0.0383 + 0.474 * 6.584963 + 0.141 + 6 * 0.101),
    ],
)
def test_tables_2_and_3(operation: str, members: int, us_per_byte: float) -> None:
    result = predict(CLIC, operation, members, 100_000).time_s
    assert result == pytest.approx(us_per_byte * 0.1, rel=1e-6)


def test_allgather_is_gather_and_broadcast_of_everything() -> None:
    gather_s = 0.009 + (-0.0825e-6 + 96 * 0.0929e-6) * 10_000
    broadcast_s = (0.0383e-6 + 0.474e-6 * 6.584963) * 960_000
    assert predict(CLIC, "allgather", 96, 10_000).time_s == pytest.approx(gather_s + broadcast_s, rel=1e-6)


def test_a_broadcast_on_the_clic_gains_a_fifth_by_4_x_24() -> None:
    choice = choose(CLIC, "broadcast", 96, 100 * KIB)
    assert choice.use in ("4x24", "24x4") and choice.gain is not None
    assert choice.gain.value == pytest.approx(0.21, abs=0.005)
    assert choice.gain.ci95_low > 0


# The paper gives no flat figures with its two-phase ones: this follows from its coefficients, in µs a byte of a
# message of 100 KiB, which is 0.1024 million.
@pytest.mark.parametrize(
    ("operation", "best", "gain"),
    [
        ("broadcast", {"4x24", "24x4"}, 1 - (0.283 + 2.21160) / 3.15957),
        ("reduce", {"2x48", "48x2"}, 1 - (0.107 + 0.646) / 0.747),
        ("gather", {"2x48"}, 1 - (0.1029 + 2 * 4.3767 + 0.018 / 0.1024) / (8.8359 + 0.009 / 0.1024)),
        ("scatter", {"2x48"}, 1 - (0.1064 + 2 * 4.2326) / 8.5382),
        ("allreduce", {"3x32", "32x3"}, 1 - (0.212 + 0.191 + 0.545 + 2.4083) / (0.747 + 3.15957)),
        ("allgather", {"4x24"}, 0.7133),
    ],
)
def test_the_win_table_of_96_processes(operation: str, best: set[str], gain: float) -> None:
    choice = choose(CLIC, operation, 96, 100 * KIB)
    fastest, flat_s = choice.grids[0], choice.flat.time_s
    assert flat_s is not None and fastest.total.time_s is not None
    assert str(fastest.grid) in best
    assert 1 - fastest.total.time_s / flat_s == pytest.approx(gain, abs=0.0006)


def test_a_loss_within_the_uncertainty_is_undecided() -> None:
    assert choose(CLIC, "reduce", 96, 100 * KIB).use == "undecided"


def test_the_t3e_s_gather_changes_above_8448_kib_at_the_root() -> None:
    at = 8448 * KIB // 64
    below, above = predict(T3E, "gather", 64, at).time_s, predict(T3E, "gather", 64, at + 1).time_s
    assert below == pytest.approx((-0.00134e-6 + 64 * 0.00308e-6) * at, rel=1e-9)
    assert above == pytest.approx(-0.036 + (0.0265e-6 + 64 * 0.00617e-6) * (at + 1), rel=1e-9)
    large = 9000 * KIB // 32
    assert predict(T3E, "gather", 32, large).time_s == pytest.approx(
        -0.020 + (0.0157e-6 + 32 * 0.00505e-6) * large, rel=1e-9
    )


def test_where_table_4_has_no_form_there_is_no_prediction() -> None:
    missing = predict(T3E, "gather", 16, 600 * KIB)
    assert missing.time_s is None and "no runtime function for gather" in str(missing.reason)
    assert predict(T3E, "broadcast", 16, 1000).time_s is None


def test_the_phases_of_a_gather_have_the_sizes_of_section_2() -> None:
    two = predict_two_phase(CLIC, "gather", Grid(4, 24), 1000)
    assert two.concurrent.time_s == predict(CLIC, "gather", 4, 1000).time_s
    assert two.leader.time_s == predict(CLIC, "gather", 24, 4000).time_s
    two = predict_two_phase(CLIC, "allgather", Grid(4, 24), 1000)
    assert two.leader.time_s == predict(CLIC, "allgather", 24, 1000).time_s
    assert two.concurrent.time_s == predict(CLIC, "allgather", 4, 24_000).time_s
