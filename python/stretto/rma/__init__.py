# SPDX-License-Identifier: BSD-3-Clause
"""The one-sided runtime for Python: regions of all ranks as NumPy arrays, transforms and sparse products.

It calls the C interface of stretto (stretto/stretto.h, stretto/kernels.h). Every call releases the GIL.
With mpi4py, import `mpi4py.MPI` first; without it, MPI_COMM_WORLD of the embedded MPI is there.
"""

from stretto.rma.aggregate import Aggregate
from stretto.rma.counters import Counters, PathCounters
from stretto.rma.errors import (
    ArgumentError,
    Error,
    FinalizedError,
    HandleError,
    MpiError,
    RegionInUseError,
    TimeoutError,
)
from stretto.rma.fft import FFT
from stretto.rma.handle import Handle
from stretto.rma.mutexes import Mutexes
from stretto.rma.region import Region
from stretto.rma.remote_function import RemoteFunction
from stretto.rma.runtime import Runtime
from stretto.rma.spmv import SpMV
from stretto.rma.team import Request, Team

__all__ = [
    "FFT",
    "Aggregate",
    "ArgumentError",
    "Counters",
    "Error",
    "FinalizedError",
    "Handle",
    "HandleError",
    "MpiError",
    "Mutexes",
    "PathCounters",
    "Region",
    "RegionInUseError",
    "RemoteFunction",
    "Request",
    "Runtime",
    "SpMV",
    "Team",
    "TimeoutError",
]
