# To be sourced. needs PROGRAM[:PACKAGE]...: installs the Debian packages of programs that this machine lacks. A path, which may have
# wildcards, stands for a file. It waits for another apt, and tries three times, because a mirror may be away for a moment.
needs() {
  local one found missing=()
  for one; do
    found=${one%%:*}
    if [[ $found == /* ]]; then compgen -G "$found" > /dev/null; else command -v "$found" > /dev/null; fi || missing+=("${one##*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  printf 'Debian packages: %s\n' "${missing[*]}"
  attempts 3 install_packages "${missing[@]}"
}
install_packages() {
  local wait='DPkg::Lock::Timeout=600'
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -o "$wait" -y -qq --no-install-recommends "$@" > /dev/null
}
# attempts N COMMAND...: for what comes over the network.
attempts() {
  local left=$1
  shift
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || { printf 'This machine does not reach what it needs, or it is refused: %s\n' "$*" >&2; return 1; }
    sleep 5
  done
}
