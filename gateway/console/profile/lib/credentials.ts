interface Credential {
  revoked_at: string | null;
  expires_at: string | null;
}

/** Whether a token or a key can be used now. */
export function stateOfCredential({ revoked_at, expires_at }: Credential): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}
