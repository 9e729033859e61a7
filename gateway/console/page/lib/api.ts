import createClient from 'openapi-fetch';
import type { paths } from '../../../../clients/generated/manage.ts';

export type { paths };

/** The manage API refused a request, or could not be reached (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly { field: string; message: string }[];
  /** Seconds to wait before another try, from `retry-after`. */
  readonly retryAfterSeconds: number | null;

  constructor(fields: Pick<ApiError, 'status' | 'code' | 'message' | 'details' | 'retryAfterSeconds'>) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Sends a header with every request that another site's form cannot send (CSRF). */
export const api = createClient<paths>({
  baseUrl: `${location.origin}/manage/v1`,
  headers: { 'x-passerelle-console': '1' },
  credentials: 'same-origin',
});

const signedOut = new EventTarget();

/** Calls `listen` after each 401. `expired` is true if there was a session before. Returns a function that stops it. */
export function onSignedOut(listen: (expired: boolean) => void): () => void {
  const listener = (event: Event) => listen((event as CustomEvent<boolean>).detail);
  signedOut.addEventListener('signed-out', listener);
  return () => signedOut.removeEventListener('signed-out', listener);
}

interface Reply<D> {
  data?: D;
  error?: unknown;
  response: Response;
}

/** Returns the response's body. Throws an ApiError if the API refused or could not be reached. */
export async function answer<D>(reply: Promise<Reply<D>>): Promise<NonNullable<D>> {
  const { data, error, response } = await reply.catch(() => {
    throw unreachable();
  });
  if (response.ok) return (data ?? {}) as NonNullable<D>;
  const refusal = refusalOf(response, error);
  if (refusal.status === 401)
    signedOut.dispatchEvent(new CustomEvent('signed-out', { detail: refusal.code === 'session_expired' }));
  throw refusal;
}

function refusalOf(response: Response, body: unknown): ApiError {
  const { code, message, details } = (body as { error?: Partial<ApiError> } | undefined)?.error ?? {};
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    message: message ?? `The gateway answered ${response.status}.`,
    details: Array.isArray(details) ? details : [],
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  });
}

const unreachable = () =>
  new ApiError({
    status: 0,
    code: 'unreachable',
    message: 'The gateway does not answer. It may be restarting, or the network may be down.',
    details: [],
    retryAfterSeconds: null,
  });

/** The messages of a refusal by field name, for a form to show beside each field. Empty for any other error. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
}

/** The message for a form's field, or for one of its elements (`events.3`). */
export function fieldErrorOf(error: unknown, name: string): string | undefined {
  return Object.entries(fieldErrors(error)).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
