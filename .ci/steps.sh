# To be sourced, from the root of the repository. `step NAME COMMAND...` runs a command, prints its seconds and remembers its result; `finish`
# prints all of them. After a failure `step` ends the run, or goes on if `go_on=yes`. `beside FUNCTION` runs the steps of a function beside the
# next ones; `joined` waits for them, and prints what they printed.
set -euo pipefail
source .ci/registry.sh
source .ci/debian.sh
# A registry may be away for a moment.
export npm_config_fetch_retries=5

go_on=no
lane=
scratch_of_steps=$(mktemp -d)
table=$scratch_of_steps/table
: > "$table"
step() {
  local name=$1 code=0 began=$SECONDS result=passed
  shift
  # A lane that has ended is joined: its failure ends the run.
  [[ $lane =~ ^(|own)$ ]] || kill -0 "$lane" 2> /dev/null || joined
  printf '\n=== %s: %s\n' "$name" "$*"
  "$@" < /dev/null || code=$?
  [ "$code" = 0 ] || result="failed ($code)"
  printf '=== %s: %s after %s s\n' "$name" "$result" "$((SECONDS - began))"
  printf '| %-48s | %-12s | %5s | `%s` |\n' "$name" "$result" "$((SECONDS - began))" "$*" >> "$table"
  [ "$code" = 0 ] || print_stacks
  [ "$code" = 0 ] || [ "$go_on" = yes ] || finish
}

beside() {
  (lane=own; "$1") > "$scratch_of_steps/lane" 2>&1 &
  lane=$!
}
joined() {
  local code=0
  [ -n "$lane" ] || return 0
  wait "$lane" || code=$?
  lane=
  cat "$scratch_of_steps/lane"
  [ "$code" = 0 ] || finish
}

# The last line has the sum of the seconds.
finish() {
  [ "$lane" != own ] || exit 1
  # The programs of a lane end with it.
  [ -z "$lane" ] || { pkill -P "$lane" || true; cat "$scratch_of_steps/lane"; }
  local passed failed
  passed=$(grep -c '| passed  ' "$table" || true)
  failed=$(grep -c '| failed (' "$table" || true)
  printf '\n| %-48s | %-12s | %5s | %s |\n|---|---|---:|---|\n' step result s 'how to repeat it alone'
  cat "$table"
  rm -rf "$scratch_of_steps"
  printf '\n%s passed, %s failed\n%s s in all\n' "$passed" "$failed" "$SECONDS"
  [ "$failed" = 0 ] && exit 0
  exit 1
}

# A process that is killed by SIGSEGV says nothing. Its core file says where it stood.
ulimit -c unlimited || true
print_stacks() {
  local core
  command -v gdb > /dev/null || return 0
  for core in core core.*; do
    [ ! -f "$core" ] || gdb -batch -ex 'info threads' -ex bt "$(PATH="$PWD/node_modules/.bin:$PATH" node -p process.execPath)" "$core" 2> /dev/null | head -n 60
  done
}
