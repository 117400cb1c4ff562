# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare`: compares two runs. The verdicts come from `stretto.model.compare`."""

from __future__ import annotations

from stretto.commands.compare_predicted import compare_predicted
from stretto.data.files import write_atomically
from stretto.data.shell import command_line
from stretto.errors import CheckError, UserError
from stretto.launch.directory import check_output, files_in
from stretto.model.compare import compare_results, failures
from stretto.model.run_files import load_results
from stretto.options.declare import again
from stretto.options.files import CompareRequest
from stretto.report.comparison_page import render_comparison
from stretto.report.screen import show, show_json
from stretto.report.views.comparison import comparison_document, comparison_view


def compare(request: CompareRequest) -> None:
    """Compare two runs: is B SAME, FASTER, SLOWER or AMBIGUOUS, in all and figure by figure?

    FASTER and SLOWER: the difference exceeds the threshold, as far as the spread within and between runs
    tells, corrected for the number of figures; for bandwidth and overlap faster means larger. SAME: the
    difference is within the threshold. Otherwise AMBIGUOUS: measure longer, or again. With --predicted A
    holds predicted times, and B the measured one.
    """
    if request.predicted:
        compare_predicted(request)
        return
    a, b, what = request.a, request.b, request.fail_on
    if request.output is not None:
        check_output(request.output, request.force, [file for run in (a, b) for file in files_in(run)])
    results = load_results(a), load_results(b)
    comparison = compare_results(*results, request.threshold)
    if not comparison.rows and not comparison.unresolved:
        raise UserError(f"{a} and {b} have no figure in common; compare runs of the same probes")
    if request.output is not None:
        names = str(a), str(b)
        write_atomically(request.output, render_comparison(comparison, request.threshold, *results, names))
    if request.as_json:
        show_json(comparison_document(comparison, request.threshold))
    else:
        show(comparison_view(comparison, request.threshold, request.show_all, _next(request)))
    if what is not None and (failed := failures(comparison, what)):
        differ = "differ from" if what == "different" else f"are {what} than"
        raise CheckError(f"{len(failed)} of {len(comparison.rows)} figures of {b} {differ} those of {a}")


def _next(request: CompareRequest) -> str:
    """The next command: the page that was written, the page to write, or all figures."""
    if request.output is not None:
        return command_line(("open", request.output))
    if not request.show_all:
        return again(request, CompareRequest, ("fail_on",), ("--all",))
    return again(request, CompareRequest, ("force", "fail_on"), ("-o", "compare.html"))
