# To be sourced. needs PROGRAM[:PACKAGE]...: installs the Debian packages of programs that this machine lacks. A path, which may have
# wildcards, stands for a file. Steps that run beside each other wait for each other.
needs() {
  local one found missing=()
  for one; do
    found=${one%%:*}
    if [[ $found == /* ]]; then compgen -G "$found" > /dev/null; else command -v "$found" > /dev/null; fi || missing+=("${one##*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  printf 'Debian packages: %s\n' "${missing[*]}"
  (
    flock 9
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
  ) 9> /tmp/passerelle-packages.lock
}
