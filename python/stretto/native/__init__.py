# SPDX-License-Identifier: BSD-3-Clause
"""The native programs: finds them, and runs the model and the replay."""
