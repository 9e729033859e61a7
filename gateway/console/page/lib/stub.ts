import { text } from '../texts/shared.ts';
import { ApiError } from './api.ts';

const server = document.querySelector<HTMLMetaElement>('meta[name=passerelle-server]')?.content ?? '';

export const isStub = server.startsWith('stub');

/** False for a stub that keeps no figures: its overview and charts would show zeros. */
export const hasFigures = server !== 'stub';

const tokenKey = 'passerelle operator token';

/** Keeps the operator token in this tab. A stub asks for it on other machines. */
export const keepToken = (token: string) => sessionStorage.setItem(tokenKey, token);

export interface AskOptions {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  /** The field that a refusal without details is about. */
  field?: string;
}

/** Calls the stub's control API at a path below `/_stub`. Throws an ApiError if the stub refused or could not be reached. */
export async function callStub(path: string, { method = 'GET', body, field }: AskOptions = {}): Promise<Response> {
  const token = sessionStorage.getItem(tokenKey);
  const response = await fetch(`/_stub${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError({ status: 0, code: 'unreachable', message: text.parts.problem.unreachableAdvice });
  });
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: Pick<ApiError, 'code' | 'message' | 'details'> };
  const { code = 'unknown', message = text.parts.problem.answered(response.status), details = [] } = error ?? {};
  const found = details.map((detail) => ({ ...detail, field: detail.field.replace(/^rule\./, '') }));
  throw new ApiError({
    status: response.status,
    code,
    message,
    isServerText: error !== undefined,
    details: field === undefined ? found : [{ field, rule: '', message }],
  });
}

/** The same, and returns the reply's data. */
export async function askStub<D>(path: string, options?: AskOptions): Promise<D> {
  return ((await (await callStub(path, options)).json()) as { data: D }).data;
}
