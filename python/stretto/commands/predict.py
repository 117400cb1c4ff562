# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict SUBJECT`: what something would take on the machine of a profile. One file a subject."""

from __future__ import annotations

import typer

from stretto.commands.predict_collective import predict_collective
from stretto.commands.predict_ft import predict_ft
from stretto.commands.predict_jacobi import predict_jacobi
from stretto.commands.predict_spmv import predict_spmv

predict = typer.Typer(
    help="Predict, from a profile, what a schedule or a collective would take and gain.",
    no_args_is_help=False,
    rich_markup_mode="markdown",
)
predict.command("ft")(predict_ft)
predict.command("spmv")(predict_spmv)
predict.command("collective")(predict_collective)
predict.command("jacobi")(predict_jacobi)
