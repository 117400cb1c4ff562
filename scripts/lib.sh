# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Functions that the scripts of this folder share: directories, messages, logged steps. Sourced by bash.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ROOT=$PWD
STATE=$ROOT/.setup # logs, and stamps of what is already done
mkdir -p "$STATE/log"

# What scripts/user-packages got for this tree.
if [[ -d $STATE/bin ]]; then export PATH=$STATE/bin:$PATH; fi
if [[ -d $STATE/packages/usr ]]; then
  export CMAKE_PREFIX_PATH=$STATE/packages/usr${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
fi

# The environment's CMake where there is one, else that of PATH.
cmake() {
  if [[ -x $ROOT/.venv/bin/cmake ]]; then "$ROOT/.venv/bin/cmake" "$@"; else command cmake "$@"; fi
}

say() { printf '%s\n' "$*"; }

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# step NAME SENTENCE COMMAND...: runs the command with its output in a log file. Says the sentence only
# when the command takes longer than a second: what is already done needs no words.
step() {
  local log=$STATE/log/$1.log sentence=$2 herald status=0 started=$SECONDS
  shift 2
  (sleep 1 && say "$sentence ...") 2>/dev/null &
  herald=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  # The herald has spoken when it is gone; its sleep may live on for a second, and holds nothing.
  if kill "$herald" 2>/dev/null; then :; elif ((status == 0)); then say "  done in $((SECONDS - started)) s"; fi
  wait "$herald" 2>/dev/null || true
  if ((status != 0)); then
    printf '%s: failed. The last lines of %s:\n' "$sentence" "${log#"$ROOT"/}" >&2
    tail -n 25 "$log" >&2
    exit 1
  fi
}

# stamped NAME INPUT...: whether NAME was done with these very inputs (files by content, the rest by text).
fingerprint() {
  local input
  for input in "$ROOT" "$@"; do
    if [[ -f $input ]]; then cat "$input"; else printf '%s\n' "$input"; fi
  done | sha256sum | cut -d' ' -f1
}
stamped() { [[ -f $STATE/$1 && $(<"$STATE/$1") == "$(fingerprint "${@:2}")" ]]; }
stamp() { fingerprint "${@:2}" >"$STATE/$1"; }

# The name of a clang-tidy that knows C++20: before 16 it rejects lambdas that capture structured
# bindings, and has no std::source_location.
find_clang_tidy() {
  local name
  for name in clang-tidy-{16..21} clang-tidy; do
    if [[ $("$name" --version 2>/dev/null) =~ version\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= 16)); then
      echo "$name"
      return
    fi
  done
  return 1
}
