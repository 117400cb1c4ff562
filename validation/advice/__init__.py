# SPDX-License-Identifier: BSD-3-Clause
"""`make validation ARGS=advice`: what `stretto potential` advises, against programs of known best change."""
