# SPDX-License-Identifier: BSD-3-Clause
"""The content of a report. Reads no files and derives no figures."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from stretto.data.loads import Load
from stretto.data.profile import Profile
from stretto.data.results import Results
from stretto.data.sample_rows import CaseEnd, Checked, NoiseFloor, Skipped
from stretto.data.samples import Samples
from stretto.model.disturbed import disturbed_share


@dataclass(frozen=True)
class Document:
    """Results with their context; members from samples are empty without samples."""

    results: Results
    profile: Profile | None = None
    case_ends: tuple[CaseEnd, ...] = ()
    planned_cases: int = 0
    """Cases of all samples files; a run that was cut short has not ended some."""
    noise_floors: tuple[NoiseFloor, ...] = ()
    checked: tuple[Checked, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    loads: tuple[Load, ...] = ()
    disturbed: float = 0.0
    """The share of all samples in which ranks lost their processor to other programs."""
    warnings: tuple[str, ...] = ()

    @staticmethod
    def of(results: Results, profile: Profile | None = None, samples: Sequence[Samples] = ()) -> "Document":
        """The document with the rows of the `samples` files that are no figures."""
        return Document(
            results,
            profile,
            case_ends=tuple(end for s in samples for end in s.case_ends),
            planned_cases=sum(s.header.cases for s in samples),
            noise_floors=tuple(s.noise_floor for s in samples if s.noise_floor is not None),
            checked=tuple(check for s in samples for check in s.checked),
            skipped=tuple(skipped for s in samples for skipped in s.skipped),
            loads=tuple(load for s in samples for load in s.loads),
            disturbed=max((disturbed_share(s) for s in samples), default=0.0),
            warnings=tuple(warning for s in samples for warning in s.warnings),
        )

    def endings(self) -> Counter[str]:
        """The number of cases that ended by each rule (`noise`, `budget`, `rounds`)."""
        return Counter(case.ended_by for case in self.case_ends)
