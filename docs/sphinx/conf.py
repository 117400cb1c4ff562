# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the documentation site: MyST pages of docs/, references generated from the sources."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python"), str(ROOT / "tests" / "python")]

import generated  # noqa: E402  # found by the line above

project = "stretto"
author = "The stretto developers"
copyright = author
html_title = "stretto"
html_theme = "furo"
html_show_sphinx = False
html_show_copyright = False
exclude_patterns = ["sphinx"]

extensions = ["myst_parser", "breathe"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# Breathe declares a namespace once per header; armci.h has a function and a macro of one name.
suppress_warnings = ["duplicate_declaration.cpp", "duplicate_declaration.c"]

DOXYGEN = ROOT / "build" / "doxygen"
breathe_projects = {"stretto": str(DOXYGEN / "xml")}
breathe_default_project = "stretto"
breathe_domain_by_extension = {"hpp": "cpp", "h": "c"}
breathe_show_include = False
highlight_language = "text"


def setup(app):
    """Runs Doxygen before Sphinx reads the pages, and fills in what is generated."""
    DOXYGEN.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", str(HERE / "Doxyfile")], cwd=ROOT, check=True)
    app.connect("source-read", fill_in)


def fill_in(_app, _page, text):
    """Sphinx hands over the page's text as a list of one element, which is changed in place."""
    text[0] = generated.fill_in(text[0])
