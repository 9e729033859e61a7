# To be sourced. Makes every Node trust the machine's certificates, also a Node that brings its own.
if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
fi

# obtainable NAME@VERSION: succeeds if the registry has it, for tools that are not dependencies; otherwise prints what is skipped.
obtainable() {
  npm view "$1" version --fetch-retries=1 --fetch-timeout=20000 > /dev/null 2>&1 && return
  printf 'SKIPPED: the registry does not have %s.\n' "$1"
  return 1
}
