# To be sourced, from the root of the repository. `step NAME COMMAND...` runs a command, prints its seconds and remembers its result; `finish`
# prints all of them. After a failure `step` ends the run, or goes on if `go_on=yes`.
set -euo pipefail
source .ci/registry.sh
source .ci/debian.sh
# A registry may be away for a moment.
export npm_config_fetch_retries=5

go_on=no
steps=()
passed=0
failed=0
step() {
  local name=$1 code=0 began=$SECONDS result=passed
  shift
  printf '\n=== %s: %s\n' "$name" "$*"
  "$@" < /dev/null || code=$?
  if [ "$code" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) result="failed ($code)"; fi
  printf '=== %s: %s after %s s\n' "$name" "$result" "$((SECONDS - began))"
  steps+=("$(printf '| %-48s | %-12s | %5s | `%s` |' "$name" "$result" "$((SECONDS - began))" "$*")")
  [ "$code" = 0 ] || print_stacks
  [ "$code" = 0 ] || [ "$go_on" = yes ] || finish
}

# The last line has the sum of the seconds.
finish() {
  printf '\n| %-48s | %-12s | %5s | %s |\n|---|---|---:|---|\n' step result s 'how to repeat it alone'
  printf '%s\n' "${steps[@]}"
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
