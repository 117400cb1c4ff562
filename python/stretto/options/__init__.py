# SPDX-License-Identifier: BSD-3-Clause
"""One declaration of every option: name, kind, range, default, help, and where it applies.

The command line, validation and the request file of the native programs derive from it.
"""
