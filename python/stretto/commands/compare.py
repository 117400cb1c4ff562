# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare`: compares two runs. The verdicts come from `stretto.model.compare`."""

from __future__ import annotations

from stretto.errors import CheckError, UserError
from stretto.model.compare import compare_results, failures
from stretto.model.run_files import load_results
from stretto.options.files import CompareRequest
from stretto.report.screen import show, show_json
from stretto.report.views.comparison import comparison_document, comparison_view


def compare(request: CompareRequest) -> None:
    """Compare two runs, row by row: is B SAME, FASTER, SLOWER or AMBIGUOUS?

    SAME: the 95 % intervals overlap and the values differ by no more than the threshold. FASTER and SLOWER:
    the intervals are apart and the values differ by more; for bandwidth and overlap faster means larger.
    Otherwise AMBIGUOUS: measure longer.
    """
    a, b, what = request.a, request.b, request.fail_on
    comparison = compare_results(load_results(a), load_results(b), request.threshold)
    if not comparison.rows and not comparison.unresolved:
        raise UserError(f"{a} and {b} have no figure in common; compare runs of the same probes")
    if request.as_json:
        show_json(comparison_document(comparison, request.threshold))
    else:
        show(comparison_view(comparison, request.threshold))
    if what is not None and (failed := failures(comparison, what)):
        differ = "differ from" if what == "different" else f"are {what} than"
        raise CheckError(f"{len(failed)} of {len(comparison.rows)} figures of {b} {differ} those of {a}")
