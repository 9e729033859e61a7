# Sourced. Certificates that the machine trusts count for every Node, also for one that brings its own.
if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
fi

# Whether the registry has this NAME@VERSION, for tools that are no dependency; says plainly what is skipped where it has not.
obtainable() {
  npm view "$1" version --fetch-retries=1 --fetch-timeout=20000 > /dev/null 2>&1 && return
  printf 'SKIPPED: %s cannot be had from the registry here.\n' "$1"
  return 1
}
