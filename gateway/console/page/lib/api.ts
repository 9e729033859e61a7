import createClient from 'openapi-fetch';
import type { ReactNode } from 'react';
import type { paths } from '../../../../spec/types/manage.ts';
import { text } from '../texts/shared.ts';
import { serverText } from './server-text.ts';

export type { paths };

export type BodyOf<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
  ? Body
  : never;
export type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

interface Detail {
  field: string;
  rule: string;
  message: string;
}

/** The API refused a request, or could not be reached (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[];
  /** True if the server composed the message, in English. */
  readonly isServerText: boolean;
  /** Seconds to wait before another try, from `retry-after`. */
  readonly retryAfterSeconds: number | null;

  constructor(fields: Pick<ApiError, 'status' | 'code' | 'message'> & Partial<ApiError>) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.isServerText = fields.isServerText ?? false;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

export interface Connection {
  /** The API's path, such as `/manage/v1`. */
  prefix: string;
  /** The name of a header that another site's form cannot send (CSRF). It is sent with every request. */
  guardHeader: string;
}

/** The value of the guard header. */
let guard = '1';

/** Names the signed-in viewer in every call from now on, so that the API can refuse calls of a page that shows another one. */
export function callAs(viewer: string): void {
  guard = viewer;
}

export let apiPrefix: string;

/** The API's client. The profile's API has the same operations for what both pages show, so it shares the types. */
export let api: ReturnType<typeof createClient<paths>>;

/** Chooses the page's API. Each page does so before anything asks it. */
export function connectApi({ prefix, guardHeader }: Connection): void {
  apiPrefix = prefix;
  api = createClient<paths>({
    baseUrl: `${location.origin}${prefix}`,
    credentials: 'same-origin',
  });
  api.use({
    onRequest({ request }) {
      request.headers.set(guardHeader, guard);
    },
  });
}

const signedOut = new EventTarget();
const replaced = new EventTarget();

/** Calls `listen` when the API says that another tab of this browser signed in another viewer. Returns a function that stops it. */
export function onReplaced(listen: () => void): () => void {
  replaced.addEventListener('replaced', listen);
  return () => replaced.removeEventListener('replaced', listen);
}

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
  if (refusal.code === 'other_partner') replaced.dispatchEvent(new Event('replaced'));
  throw refusal;
}

/** The `data` of the response's body. Throws as `answer` does. */
export async function dataOf<D>(reply: Promise<Reply<{ data: D }>>): Promise<D> {
  return (await answer(reply)).data;
}

function refusalOf(response: Response, body: unknown): ApiError {
  const { code, message, details } = (body as { error?: Partial<ApiError> } | undefined)?.error ?? {};
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || null;
  const sayings = Array.isArray(details) ? (details as Detail[]) : [];
  const [only, ...others] = sayings;
  const translated = text.server.refusals[code ?? '']?.(retryAfterSeconds) ?? text.server.onPage[code ?? ''];
  // Many a refusal is about one field and says the same of it.
  const said = translated ?? (others.length === 0 && only ? text.server.rules[only.rule] : undefined);
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    message: said ?? message ?? text.parts.problem.answered(response.status),
    isServerText: said === undefined && message !== undefined,
    details: translated === undefined ? sayings : [],
    retryAfterSeconds,
  });
}

const unreachable = () => new ApiError({ status: 0, code: 'unreachable', message: text.parts.problem.unreachableAdvice });

export const messageOf = (error: Error): ReactNode =>
  error instanceof ApiError && error.isServerText ? serverText(error.message) : error.message;

export const wordsOf = ({ rule, message }: Detail): ReactNode => text.server.rules[rule] ?? serverText(message);

/** The messages of a refusal by field name, for a form to show beside each field. Empty for any other error. */
export function fieldErrors(error: unknown): Record<string, ReactNode> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map((detail) => [detail.field, wordsOf(detail)]));
}

/** The message for a form's field, or for one of its elements (`events.3`). */
export const fieldErrorOf = (error: unknown, name: string): ReactNode =>
  Object.entries(fieldErrors(error)).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
