#!/usr/bin/env bash
# Completions of shells and the manual page are those of the commands: each flag that --help prints is in all of them,
# the shells that are here take their scripts, and bash completes commands, flags, values and files.
source "$(dirname "$(readlink -f "$0")")/script.sh"
uotbench="$programs/uotbench"
cd "$scratch"

for shell in bash zsh fish; do "$uotbench" completion "$shell" >"uotbench.$shell"; done
"$uotbench" man >uotbench.1
bash -n uotbench.bash || fail "bash does not take its completion"
for shell in zsh fish; do
  ! command -v "$shell" >/dev/null || "$shell" -n "uotbench.$shell" || fail "$shell does not take its completion"
done
if said="$("$uotbench" completion tcsh 2>&1)"; then fail "tcsh is taken for a shell"; fi
[[ $said == 'uotbench: completion: no shell "tcsh"; there are: bash, zsh, fish' ]] || fail "tcsh: $said"

# Every command and every flag of every command.
mapfile -t commands < <("$uotbench" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
((${#commands[@]} >= 15)) || fail "--help prints ${#commands[@]} commands"
checked=0
for command in "${commands[@]}"; do
  for file in uotbench.bash uotbench.zsh uotbench.fish; do
    grep -q "/$command\b" "$file" || fail "$command is not in $file"
  done
  grep -Fqx ".SS ${command//-/\\-}" uotbench.1 || fail "$command is not in the manual"
  while read -r flag; do
    grep -Eq -- "[\" ]$flag[\" ]" uotbench.bash || fail "$command $flag is not in the completion of bash"
    grep -Fq -- "'$flag:" uotbench.zsh || fail "$command $flag is not in the completion of zsh"
    grep -Eq -- "command \"/$command\"' .*-l ${flag#--} " uotbench.fish || fail "$command $flag is not in the completion of fish"
    grep -Fq -- "${flag//-/\\-}" uotbench.1 || fail "$command $flag is not in the manual"
    checked=$((checked + 1))
  done < <("$uotbench" "$command" --help | grep -Eo '^  (-[a-z], )?--[a-z-]+' | grep -Eo -- '--[a-z-]+')
done
((checked > 100)) || fail "only $checked flags were looked for"

# completes WANTED WORD...: bash offers exactly these for the last of the words, in whatever order.
# shellcheck source=/dev/null
source uotbench.bash
completes() {
  local wanted="$1"
  shift
  COMP_WORDS=(uotbench "$@") COMP_CWORD=$#
  COMPREPLY=()
  _uotbench
  local got
  got="$(printf '%s\n' "${COMPREPLY[@]}" | sort -u | paste -sd ' ')"
  [[ $got == "$wanted" ]] || fail "uotbench $*: bash offers \"$got\", not \"$wanted\""
}
touch mine.json mine.jsonl 'a file'
completes 'report rerun roofline run' r
completes '--rounds' run --rou
completes '--rounds' --sweep mine.json --rou # run is meant
completes '' show --rou
completes 'mine.json mine.jsonl' run --sweep mi
completes 'a file' run --output 'a f'
completes '' run --filter mi
completes 'mine.json mine.jsonl' show mi
completes 'save show' baseline s
completes '--force' baseline save --fo
completes 'family figure' new f
completes 'bash' completion b
completes '' completion zsh x

# The page is one that man prints without a complaint.
grep -q '^\.TH UOTBENCH 1 ' uotbench.1 || fail "the manual has no title"
if command -v man >/dev/null && command -v groff >/dev/null; then
  complaints="$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 -Z uotbench.1 2>&1 >/dev/null)"
  [[ -z $complaints ]] || fail "man complains: $complaints"
  LC_ALL=C.UTF-8 MANWIDTH=100 man -l uotbench.1 2>/dev/null >page
  grep -Fq 'uotbench run [OPTION...]' page || fail "man does not print how run is called: $(head -n 40 page)"
  grep -Fq -- '-a, --axis AXIS=VALUES' page || fail "man does not print --axis"
fi
