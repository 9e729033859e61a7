import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { nearestOf } from '../../../gateway/base/nearest.ts';
import type { ErrorClass } from '../../../gateway/store/tables/webhooks.ts';
import { classify } from '../../../gateway/webhooks/sending/outcome.ts';
import { signatureHeaders } from '../../../gateway/webhooks/sending/sign.ts';
import { type ServiceName, services } from '../../../spec/documents/services.ts';
import { fieldsOf, jsonOr } from '../../../spec/json.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { dispatcherFor, explainFailure, isRefusedByProxy } from '../outgoing.ts';
import { openReference, type Reply, type SignedWebhook, type Webhook } from '../reference.ts';
import type { ReferenceGateways, Sent } from '../reference-gateway.ts';
import { states as knownStates, nearestState, StateFailed, setUpState, stateOfEvent } from '../states/register.ts';
import type { ProviderState, World } from '../states/state.ts';
import { decoded } from './answers.ts';
import { isRedirect, movedTo } from './redirects.ts';

/** The provider of one interaction. Each method may throw; the error's message is reported. */
export interface Subject {
  setUp(state: ProviderState): Promise<Record<string, unknown>>;
  /** The token that a state created, which replaces the pact's example. */
  token(): string | undefined;
  send(request: Sent): Promise<Reply>;
  /** The message that a state caused. Without one, the event that the pact's message names is caused. */
  message(asked: AskedMessage): Promise<Webhook>;
  /** Tears down the states. */
  close(): Promise<void>;
}

/** A message in a pact: its description, and the event that its contents or metadata name. */
export interface AskedMessage {
  description: string;
  event: string | undefined;
}

/** The provider, its receiver or its states could not be reached, or cannot be used. This says nothing about how they behave. */
export class OutOfReach extends Error {
  override name = 'OutOfReach';
}

const answerDeadlineMs = 30_000;

/** How a provider or receiver at a URL is called. */
export interface Calling {
  /** Headers that are added to each request, in place of the pact's. Names are in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Deadline of each call, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
}

/** A new reference implementation for each interaction, so that interactions do not affect each other. */
export async function referenceSubject(provider: ServiceName, gateways: ReferenceGateways): Promise<Subject> {
  const reference = await openReference(provider, gateways);
  const world: World = { reference, values: {} };
  const setUp = (state: ProviderState) => setUpState(provider, world, state);
  return {
    setUp,
    token: () => world.values.token as string | undefined,
    send: (sent) => reference.send({ ...sent, path: underApi(sent.path) }),
    async message(asked) {
      const named = world.webhook ? undefined : stateOfEvent(provider, asked.event ?? asked.description);
      if (named) await setUp({ name: named, params: {} });
      if (world.webhook) return signed(world.webhook);
      throw new StateFailed(noEvent(provider, asked));
    },
    close: () => reference.close(),
  };
}

/**
 * Returns the webhook if its signature is the documented one (cohesion section 6). A pact can demand only the signature's form,
 * because it knows neither the body nor the secret. The pact itself demands only that a signature is there. The gateway's own
 * code is not used, because an error in it would confirm itself.
 */
function signed(webhook: SignedWebhook): Webhook {
  const { headers, body, secret } = webhook;
  const sent = String(headers['x-service-signature'] ?? '');
  const right = createHmac('sha256', secret).update(body).digest('hex');
  if (!sent.startsWith('sha256=') || sent.toLowerCase() === `sha256=${right}`) return webhook;
  throw new Error('X-SERVICE-Signature is not the HMAC-SHA256 of the raw body with the secret of the webhook.');
}

function noEvent(provider: ServiceName, { description, event }: AskedMessage): string {
  if (event === undefined)
    return `The message "${description}" does not say which event it is about: name its state, such as "${stateOfEvent(provider, services[provider].exampleEvent)}".`;
  const nearest = nearestOf(event, Object.keys(eventsOf(provider)));
  return `The message "${description}" is about "${event}", which ${provider} does not send. Did you mean "${nearest}"?`;
}

export interface Address extends Calling {
  baseUrl: string;
  /** Gets `{action, state, params}` by POST and answers with the state's values, as in Pact's own verifiers. */
  stateUrl?: string | undefined;
}

/** A provider at a URL, with its own service for states. */
export function addressSubject(provider: ServiceName, { baseUrl, stateUrl, headers: extra, timeoutMs }: Address): Subject {
  let token: string | undefined;
  const states: ProviderState[] = [];
  const change = async (url: string, action: 'setup' | 'teardown', { name, params }: ProviderState) => {
    const about = `The ${action} of "${name}" failed`;
    const body = JSON.stringify({ action, state: name, params });
    const reply = await exchange(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }, timeoutMs).catch(
      (error) => {
        throw new OutOfReach(`${about}: ${error.message}`, { cause: error });
      },
    );
    if (reply.status < 300) return asRecord(reply.text);
    const to = isRedirect(reply.status) ? movedTo(reply.headers.location) : '';
    const Rejection = rejectsState.has(reply.status) ? StateFailed : OutOfReach;
    throw new Rejection(`${about}: ${url} answered ${reply.status}. ${to} ${reply.text.slice(0, 300)}`.trimEnd());
  };
  return {
    async setUp(state) {
      if (stateUrl === undefined) throw new OutOfReach(noStateUrl(provider, baseUrl, state));
      states.push(state);
      const returned = await change(stateUrl, 'setup', state);
      if (typeof returned.token === 'string') token = returned.token;
      return returned;
    },
    token: () => token,
    send: (sent) =>
      exchange(
        new URL(baseUrl).href.replace(/\/$/, '') + sent.path,
        { ...sent, headers: { ...sent.headers, ...extra } },
        timeoutMs,
      ),
    async message() {
      throw new OutOfReach(`Only the reference implementation sends messages: verify this pact without --base-url ${baseUrl}.`);
    },
    async close() {
      if (stateUrl === undefined) return;
      const errors: string[] = [];
      for (const state of states.toReversed())
        await change(stateUrl, 'teardown', state).catch((error: Error) => errors.push(error.message));
      if (errors.length > 0) throw new Error(errors.join(' '));
    },
  };
}

/**
 * A handler rejects a state that it does not know with one of these. Everything else, such as 404 for another path, says
 * nothing about the pact.
 */
const rejectsState: ReadonlySet<number> = new Set([400, 422]);

function noStateUrl(provider: ServiceName, baseUrl: string, { name }: ProviderState): string {
  const isKnown = knownStates[provider].some((one) => one.name === name);
  const nearest = isKnown ? '' : nearestState(name, [provider]);
  return `The state "${name}" cannot be set up at ${baseUrl}: pass --state-url. ${nearest}`.trimEnd();
}

export interface Receiver extends Calling {
  /** The full URL for webhooks. */
  url: string;
  secret: string;
}

/** A partner's receiver. Each request gets a new signature over the sent bytes, which replaces the pact's example. */
export const receiverSubject = ({ url, secret, headers: extra, timeoutMs }: Receiver): Subject => ({
  async setUp({ name }) {
    throw new StateFailed(`The state "${name}" cannot be set up: a receiver has no states.`);
  },
  token: () => undefined,
  send({ method, headers, body }) {
    const eventId = headers['webhook-id'] ?? 'evt_of_a_pact';
    const signed = signatureHeaders({ eventId, body, atMs: Date.now(), secrets: [secret], headerName: 'x-service-signature' });
    return exchange(url, { method, headers: { ...headers, ...extra, ...signed }, body }, timeoutMs);
  },
  async message() {
    throw new Error('A receiver is called over HTTP: it cannot be verified with a message pact.');
  },
  close: async () => undefined,
});

/** Replaces the pact's example token by the token that a state created. */
export function authorized(sent: Sent, token: string | undefined): Sent {
  const example = sent.headers.authorization;
  if (token === undefined || example === undefined || !/^Bearer /i.test(example)) return sent;
  return { ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } };
}

/** The document's examples of credentials, and the values of states that stand for them. */
const examples: Readonly<Record<string, string>> = { '"<API_KEY>"': 'api_key', '"<API_SECRET>"': 'api_secret' };

/** Replaces the document's examples by the credentials that a state created: a pact of version 2 cannot ask for them. */
export function withCredentials(sent: Sent, values: Readonly<Record<string, unknown>>): Sent {
  const body = Object.entries(examples).reduce(
    (text, [example, name]) =>
      typeof values[name] === 'string' ? text.replaceAll(example, () => JSON.stringify(values[name])) : text,
    sent.body,
  );
  return { ...sent, body };
}

/** Returns the path from the root. Pacts may write paths as the documents do, relative to /api/v1. */
const underApi = (path: string): string => (/^\/api(\/|$)/.test(path) ? path : `/api/v1${path}`);

/** Sends a request, without following redirects. Throws an `OutOfReach` if no whole answer comes. */
async function exchange(
  url: string,
  { method, headers, body }: Omit<Sent, 'path'>,
  timeoutMs = answerDeadlineMs,
): Promise<Reply> {
  const options = { method: method as 'GET', headers, dispatcher: dispatcherFor(url), ...(body === '' ? {} : { body }) };
  const reply = await whole(request(url, { ...options, signal: AbortSignal.timeout(timeoutMs) })).catch((error: unknown) => {
    const why = explainFailure(url, error);
    const lost = isRefusedByProxy(error) ? 'no connection was opened' : noAnswer[classify(error).outcome]?.(timeoutMs);
    const says = `${url} did not answer: ${lost === undefined ? why : `${lost} (${why})`}.`;
    throw new (lost === undefined ? Error : OutOfReach)(says, { cause: error });
  });
  const { 'content-encoding': encodings, ...others } = reply.headers;
  const written = Object.entries(others).map(([name, value]) => [name, String(value)]);
  try {
    const bytes = decoded(reply.body, String(encodings ?? ''));
    return { status: reply.status, headers: Object.fromEntries(written), text: bytes.toString(), bytes };
  } catch (error) {
    throw new Error(`The body of ${url} cannot be decoded (Content-Encoding: ${encodings}): ${(error as Error).message}.`);
  }
}

async function whole(answer: ReturnType<typeof request>) {
  const { statusCode: status, headers, body } = await answer;
  return { status, headers, body: Buffer.from(await body.arrayBuffer()) };
}

/** Errors after which nobody knows what the address would have answered. Others, such as an answer that is not HTTP, are answers. */
const noAnswer: Partial<Record<ErrorClass, (timeoutMs: number) => string>> = {
  dns: () => 'its name was not found',
  connect: () => 'no connection was accepted',
  tls: () => 'no TLS connection was made',
  timeout: (timeoutMs) => `it timed out; the deadline is ${timeoutMs / 1000} s`,
  reset: () => 'the connection was reset',
};

const asRecord = (text: string) => fieldsOf(jsonOr(text, undefined));
