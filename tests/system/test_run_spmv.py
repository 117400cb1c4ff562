# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run spmv` with a matrix from a file; its product agrees with SciPy's."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from test_run import document, local, simulated, stretto

from stretto.launch.matrix_input import deviation_of


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """71 x 53, some rows long, some empty."""
    random = np.random.default_rng(3)
    result = scipy.sparse.random_array((71, 53), density=0.1, rng=random, format="lil")
    result[7, :] = 1.0
    result[9:20, :] = 0.0
    path = tmp_path / "some.mtx"
    scipy.io.mmwrite(path, result)
    return path


@pytest.mark.slow
@local
@pytest.mark.parametrize("variant", ["signalled", "individual", "blocks"])
def test_the_product_is_scipys(matrix: Path, variant: str) -> None:
    result = document("spmv", "--matrix", str(matrix), "--variant", variant, "-n", "3", "--mpi", "mpich")
    assert result["verified"] is True
    assert result["scipy_deviation"] < 1e-14 and result["deviation"] < 1e-14
    assert (result["rows"], result["columns"], result["exchange"]) == (71, 53, variant)
    assert len(result["communication_per_rank_s"]) == 3
    assert list(matrix.parent.iterdir()) == [matrix], "something was left next to the matrix"


@pytest.mark.slow
@simulated
def test_communication_is_shown_rank_by_rank_on_a_simulated_machine(matrix: Path) -> None:
    on = ("--on", "simulated", "--platform", "fsn", "-n", "4", "--set", "products=2", "--matrix", str(matrix))
    one_by_one = document("spmv", *on, "--variant", "individual")
    together = document("spmv", *on, "--variant", "aggregate")
    assert one_by_one["elements_of_others"] == together["elements_of_others"] > 100
    assert sum(together["elements_of_others_per_rank"]) == together["elements_of_others"]
    assert one_by_one["messages"] == 2 * one_by_one["elements_of_others"]
    assert together["messages"] == 2 * 4 * 3
    assert max(together["communication_per_rank_s"]) < max(one_by_one["communication_per_rank_s"])


@pytest.mark.slow
@simulated
def test_auto_runs_the_fastest_exchange_that_it_has_timed(matrix: Path) -> None:
    on = ("--on", "simulated", "--platform", "fsn", "-n", "4", "--set", "products=2", "--matrix", str(matrix))
    result = document("spmv", *on, "--variant", "auto", "--transport", "stretto")
    assert (result["exchange"], result["transport"], result["verified"]) == (
        result["variant"],
        "stretto",
        True,
    )
    choice = result["choice"]
    assert {one["transport"] for one in choice["candidates"]} == {"stretto"}
    assert choice["measured_s"] <= 1.01 * min(one["measured_s"] for one in choice["candidates"])
    assert choice["without_overlap"] is None


@pytest.mark.slow
@local
def test_wrong_input_is_one_line_and_status_2(matrix: Path) -> None:
    broken = matrix.with_name("broken.mtx")
    broken.write_text(matrix.read_text()[:-40])
    for arguments, text in [
        (["spmv", "--matrix", str(broken)], f"{broken}: "),
        (["spmv", "--matrix", "/nowhere"], "/nowhere: cannot be read"),
        (["ft", "--matrix", str(matrix)], "is for the kernel spmv"),
        (["spmv", "--set", f"matrix={matrix}"], f"{matrix}: is no matrix that stretto wrote"),
        (["spmv", "--class", "A"], "--class A: spmv has none"),
        (["spmv", "--set", "prefetch=2"], "--set prefetch: is for --variant blocks only"),
        (
            ["spmv", "--variant", "vector", "--transport", "mpi-rma"],
            "--variant vector: is there over stretto only",
        ),
    ]:
        done = stretto(*arguments, "--mpi", "mpich")
        assert done.returncode == 2, done.stderr
        assert text in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_wrong_product_would_show() -> None:
    matrix = scipy.sparse.csr_array(np.array([[1.0, 2.0], [0.0, 3.0], [0.0, np.nan]]))
    x = np.array([1.0, 1.0])
    right = np.array([3.0, 3.0, np.nan])
    assert deviation_of(matrix, x, right) == 0
    assert deviation_of(matrix, x, right + np.array([0, 1e-9, 0])) == pytest.approx(1e-9 / 3)
    assert deviation_of(matrix, x, np.array([3.0, np.nan, np.nan])) == 1
    assert deviation_of(matrix, x, np.array([3.0, 3.0, 0.0])) == 1
