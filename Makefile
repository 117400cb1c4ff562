# SPDX-License-Identifier: BSD-3-Clause
# Every target does its own set-up first, from a fresh clone on; scripts/ has how.
SHELL := bash
MPI ?= mpich
ARGS ?=
export MPI FAMILIES

help:
	@echo 'make probe      measure this machine       ARGS="overlap --sizes 8:1MiB"'
	@echo 'make test       quick tests, embedded MPI ARGS="-k probe"'
	@echo 'make test-all   all tests, before releases FAMILIES="mpich openmpi"'
	@echo 'make search     tests with random inputs   ARGS="properties --minutes 60"'
	@echo 'make lint       formatting, static analysis, types, spelling'
	@echo 'make bench      head to head against peers ARGS=--list'
	@echo 'make validation models against reality, and the kernels of the papers'
	@echo 'make papers     claims of the papers       ARGS="probes figure-4"'
	@echo 'make mutants    faults that tests notice   ARGS="data --sample 60"'
	@echo 'make mutants-native  those of C++ code     ARGS="src/measure/stopping.cpp"'
	@echo 'make docs       the site, build/docs/index.html'
	@echo 'make armci      ARMCI for Global Arrays    PREFIX=$$HOME/armci'
	@echo 'make recorder   what stretto trace preloads MPI=/usr/bin/mpicxx.openmpi'
	@echo 'make setup      only set up; leaves .venv/bin/stretto'
	@echo ''
	@echo 'MPI=mpich is the embedded one; MPI=openmpi, MPI=loaded (mpicxx on PATH) or'
	@echo 'MPI=/path/to/prefix take another one for probe, bench, armci and setup.'

probe:
	@scripts/setup probe $(ARGS) && scripts/probe $(ARGS) && scripts/setup setup

test:
	@scripts/setup test && .venv/bin/python scripts/run_tests.py quick $(ARGS)

test-all:
	@scripts/setup test-all && .venv/bin/python scripts/run_tests.py all $(ARGS)

search:
	@scripts/setup test && scripts/native mpich tests && .venv/bin/python scripts/search.py $(ARGS)

lint:
	@scripts/setup lint && scripts/lint

bench:
	@scripts/setup bench && .venv/bin/python -m bench.run $(ARGS)

validation:
	@scripts/setup bench && .venv/bin/python -m validation.run $(ARGS)

mutants:
	@scripts/setup mutants && .venv/bin/python scripts/mutate_python.py $(ARGS)

mutants-native:
	@scripts/setup setup && .venv/bin/python scripts/mutate_native.py $(ARGS)

papers:
	@scripts/setup setup && .venv/bin/python -m validation.papers -o build/papers --force $(if $(MEASURED),--measured $(MEASURED)) $(ARGS)

docs:
	@scripts/setup docs && .venv/bin/sphinx-build -E -W --keep-going -c docs/sphinx docs build/docs

armci:
	@scripts/armci-prefix "$(PREFIX)"

recorder:
	@scripts/setup recorder && echo 'Ready: stretto trace -- COMMAND'

setup:
	@scripts/setup setup && echo 'Ready: .venv/bin/stretto --help'
ifeq ($(filter mpich openmpi,$(MPI)),)
	@echo 'Your own mpiexec stays the first: export PATH=$$PATH:$(CURDIR)/.venv/bin'
endif

.PHONY: help probe test test-all search lint bench validation papers mutants mutants-native docs armci recorder setup
