# SPDX-License-Identifier: BSD-3-Clause
"""Completion of stretto's commands, options and their values in bash, zsh and fish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stretto.options.declare import Declared
from stretto.options.kinds import ListOf, OneOf, PathKind, Switch
from subcommands import Subcommand

_HEAD = """# SPDX-License-Identifier: BSD-3-Clause
# {shell} completion of stretto; made by scripts/shell_files.py.
"""


def completions(commands: Sequence[Subcommand]) -> Iterator[tuple[str, str]]:
    """Names of files below `share`, and their texts."""
    yield "bash-completion/completions/stretto", "\n".join(_bash(commands)) + "\n"
    yield "zsh/site-functions/_stretto", "\n".join(_zsh(commands)) + "\n"
    yield "fish/vendor_completions.d/stretto.fish", "\n".join(_fish(commands)) + "\n"


def values(one: Declared) -> tuple[str, ...]:
    """The names that an option or argument takes; none where its values are not names."""
    kind = one.option.kind
    kind = kind.of if isinstance(kind, ListOf) else kind
    return kind.known if isinstance(kind, OneOf) else ()


def _is_list(one: Declared) -> bool:
    return isinstance(one.option.kind, ListOf)


def _is_file(one: Declared) -> bool:
    return isinstance(one.option.kind, PathKind)


def _runs_a_command(one: Subcommand) -> bool:
    return any(option.option.metavar.startswith("--") for option in one.options if not option.option.flags)


def _firsts(commands: Sequence[Subcommand]) -> list[str]:
    return list(dict.fromkeys(one.name.split()[0] for one in commands))


def _seconds(commands: Sequence[Subcommand], first: str) -> list[str]:
    """The commands of a group."""
    return [one.name.split()[1] for one in commands if one.name.split()[0] == first and " " in one.name]


# ---- bash


def _bash(commands: Sequence[Subcommand]) -> Iterator[str]:
    yield _HEAD.format(shell="Bash")
    yield "_stretto_words() {  # the options and arguments of a command; / before them where files may stand"
    yield '  case "$1" in'
    for one in commands:
        flags = [flag for option in one.options for flag in option.option.flags]
        names = [name for option in one.options if not option.option.flags for name in values(option)]
        files = ["/"] if any(_is_file(option) for option in one.options if not option.option.flags) else []
        yield f"    '{one.name}') echo '{' '.join([*files, *flags, '--help', *names])}' ;;"
    for first in _firsts(commands):
        if _seconds(commands, first):
            yield f"    '{first}') echo '{' '.join(_seconds(commands, first))}' ;;"
    yield f"    '') echo '{' '.join([*_firsts(commands), '--help', '--version', '--prefix'])}' ;;"
    yield "  esac\n}\n"
    yield "_stretto_values() {  # what an option takes: names; , and names of a list; / for files"
    yield '  case "$1" in'
    for one in commands:
        for option in one.options:
            text = _bash_value(option)
            if text:
                patterns = "|".join(f"'{one.name} {flag}'" for flag in option.option.flags)
                yield f"    {patterns}) echo '{text}' ;;"
    yield "  esac\n}\n"
    yield from _BASH.splitlines()


def _bash_value(one: Declared) -> str:
    if not one.option.flags or isinstance(one.option.kind, Switch):
        return ""
    if values(one):
        return (", " if _is_list(one) else "") + " ".join(values(one))
    return "/" if _is_file(one) else "-"


_BASH = r"""_stretto() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' index found
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; ++index)); do
    if [[ ${COMP_WORDS[index]} == -- ]]; then
      if declare -F _command_offset >/dev/null; then _command_offset $((index + 1)); else
        mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
      fi
      return
    fi
    if [[ -z $command && ${COMP_WORDS[index]} != -* ]]; then command=${COMP_WORDS[index]}; fi
    found="$command ${COMP_WORDS[index]}"
    if [[ $command == "${COMP_WORDS[index - 1]}" && -n $(_stretto_words "$found") ]]; then command=$found; fi
  done
  found=$(_stretto_values "$command $before")
  case $found in
    '')
      found=$(_stretto_words "$command")
      if [[ $found == /* ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "${found#/}" -- "$word")
      ;;
    -) ;;
    /) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    ,*)
      local done=''
      if [[ $word == *,* ]]; then done=${word%,*},; fi
      mapfile -t COMPREPLY < <(compgen -P "$done" -W "${found#,}" -- "${word##*,}")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word") ;;
  esac
}
complete -o filenames -F _stretto stretto"""


# ---- zsh


def _zsh(commands: Sequence[Subcommand]) -> Iterator[str]:
    yield "#compdef stretto"
    yield _HEAD.format(shell="Zsh")
    for one in commands:
        yield f"_stretto_{_identifier(one.name)}() {{"
        yield "  _arguments -s \\"
        for option in one.options:
            yield f"    {_zsh_option(option)} \\"
        yield "    '(-h --help)'{-h,--help}'[show the help]'"
        yield "}\n"
    for first in _firsts(commands):
        if _seconds(commands, first):
            yield from _zsh_choice(
                f"_stretto_{first}", [one for one in commands if one.name.startswith(f"{first} ")], 1
            )
    yield from _zsh_choice("_stretto", commands, 0)
    yield '_stretto "$@"'


def _zsh_choice(function: str, commands: Sequence[Subcommand], word: int) -> Iterator[str]:
    """A function that completes the name of a command, or what follows it."""
    known: dict[str, str] = {}
    for one in commands:
        known.setdefault(one.name.split()[word], one.summary if word or " " not in one.name else one.heading)
    yield f"{function}() {{"
    yield "  local context state state_descr line\n  typeset -A opt_args"
    yield "  _arguments -C '(-h --help)'{-h,--help}'[show the help]' '--version[show the version]' \\"
    yield "    '--prefix[show the prefix of headers and libraries]' '1: :->command' '*:: :->rest'"
    yield "  case $state in\n    command)\n      local -a commands=("
    for name, summary in known.items():
        yield f"        {_quoted(f'{name}:{summary}')}"
    yield "      )\n      _describe -t commands 'stretto command' commands\n      ;;"
    yield "    rest)\n      case $words[1] in"
    prefix = "" if word == 0 else f"{commands[0].name.split()[0]}_"
    for name in known:
        yield f"        {name}) _stretto_{_identifier(prefix + name)} ;;"
    yield "      esac\n      ;;\n  esac\n}\n"


def _zsh_option(one: Declared) -> str:
    option = one.option
    metavar = _zsh_plain(option.metavar or option.kind.metavar).replace(":", "\\:")
    if values(one):
        names = " ".join(values(one))
        action = f"_values -s , name {names}" if _is_list(one) else f"({names})"
    else:
        action = "_files" if _is_file(one) else " "
    if not option.flags:
        if option.metavar.startswith("--"):
            return "'*::command: _normal'"
        return _quoted(f"{'*' if option.repeatable else ''}:{metavar}:{action}")
    value = "" if isinstance(option.kind, Switch) else f":{metavar}:{action}"
    help_text = _zsh_plain(option.help).replace("[", "(").replace("]", ")")
    if len(option.flags) > 1:
        return f"'({' '.join(option.flags)})'{{{','.join(option.flags)}}}{_quoted(f'[{help_text}]{value}')}"
    return _quoted(f"{option.flags[0]}[{help_text}]{value}")


def _zsh_plain(text: str) -> str:
    return text.replace("`", "").replace("|", "/")


# ---- fish


def _fish(commands: Sequence[Subcommand]) -> Iterator[str]:
    yield _HEAD.format(shell="Fish")
    general = "complete -c stretto -f -n __fish_use_subcommand"
    yield f"{general} -s h -l help -d 'show the help'"
    yield f"{general} -l version -d 'show the version'"
    yield f"{general} -l prefix -d 'show the prefix of headers and libraries'"
    for first in _firsts(commands):
        mine = [one for one in commands if one.name.split()[0] == first]
        summary = mine[0].summary if mine[0].name == first else mine[0].heading
        yield f"{general} -a {first} -d {_quoted(summary)}"
    for one in commands:
        first, _, second = one.name.partition(" ")
        seen = f"__fish_seen_subcommand_from {first}"
        if second:
            others = " ".join(_seconds(commands, first))
            yield (
                f"complete -c stretto -f -n '{seen}; and not __fish_seen_subcommand_from {others}' "
                f"-a {second} -d {_quoted(one.summary)}"
            )
            seen += f"; and __fish_seen_subcommand_from {second}"
        for option in one.options:
            yield f"complete -c stretto -n '{seen}' {_fish_option(option)}"
        if _runs_a_command(one):
            after = f"{seen}; and contains -- -- (commandline -opc)"
            yield f"complete -c stretto -n '{after}' -a '(__fish_complete_subcommand)'"


def _fish_option(one: Declared) -> str:
    option = one.option
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    words = f"{flags} -d {_quoted(option.help.replace('`', ''))}" if flags else ""
    if values(one):
        names = " ".join(values(one))
        words += (
            f" -x -a '(__fish_append , {names})'"
            if flags and _is_list(one)
            else f" -{'x' if flags else 'f'} -a '{names}'"
        )
    elif flags and _is_file(one):
        words += " -r -F"
    elif flags and not isinstance(option.kind, Switch):
        words += " -x"
    return words.strip() or "-F"


def _identifier(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


def _quoted(text: str) -> str:
    """In single quotes for any of the shells; an apostrophe of the text becomes a typographic one."""
    return "'" + text.replace("'", "\u2019").replace("\\", "") + "'"
