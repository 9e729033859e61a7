import createClient from 'openapi-fetch';
import type { components, operations, paths } from '../../../../clients/generated/manage.ts';

export type { components, operations, paths };

/** A refusal of the manage API, or that it could not be reached (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly { field: string; message: string }[];
  /** For how many seconds the gateway asks to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(fields: Pick<ApiError, 'status' | 'code' | 'message' | 'details' | 'retryAfterSeconds'>) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** The header says that the call comes from this page's script: another site's form cannot send it. */
export const api = createClient<paths>({
  baseUrl: `${location.origin}/manage/v1`,
  headers: { 'x-passerelle-console': '1' },
  credentials: 'same-origin',
});

const signedOut = new EventTarget();

/** Tells of each call that was refused since there is no session (any more). */
export function onSignedOut(tell: (expired: boolean) => void): () => void {
  const listener = (event: Event) => tell((event as CustomEvent<boolean>).detail);
  signedOut.addEventListener('signed-out', listener);
  return () => signedOut.removeEventListener('signed-out', listener);
}

interface Reply<D> {
  data?: D;
  error?: unknown;
  response: Response;
}

/** What the manage API answered, or an ApiError. */
export async function answer<D>(reply: Promise<Reply<D>>): Promise<NonNullable<D>> {
  const { data, error, response } = await reply.catch(() => {
    throw unreachable();
  });
  if (response.ok) return (data ?? {}) as NonNullable<D>;
  const refused = refusal(response, error);
  if (refused.status === 401)
    signedOut.dispatchEvent(new CustomEvent('signed-out', { detail: refused.code === 'session_expired' }));
  throw refused;
}

function refusal(response: Response, body: unknown): ApiError {
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
    message: 'The gateway does not answer. It may be restarting, or the network is away.',
    details: [],
    retryAfterSeconds: null,
  });
