import { read } from './http.ts';

export interface Credentials {
  api_key: string;
  api_secret: string;
}

export interface Token {
  success: boolean;
  token: string;
  /** The document names no unit. */
  expires_in: number;
  token_type: string;
}

export function obtainToken(root: string, credentials: Credentials): Promise<Token> {
  return read(root, { method: 'POST', path: '/api/auth', body: credentials });
}
