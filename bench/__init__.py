# SPDX-License-Identifier: BSD-3-Clause
"""stretto against its peers: `python -m bench.run --list`."""
