import { request } from 'undici';
import { signatureHeaders } from '../../../gateway/webhooks/sending/sign.ts';
import { type ServiceName, services } from '../../documents/services.ts';
import { openReference, type Reply, type Sent, type Start, type Webhook } from '../reference.ts';
import { StateFailed, setUpState, stateOfEvent } from '../states/register.ts';
import type { ProviderState, World } from '../states/state.ts';

/** The provider of one interaction. Each method may throw; the error's message is reported. */
export interface Subject {
  /** Sets up a state and returns its values. */
  setUp(state: ProviderState): Promise<Record<string, unknown>>;
  /** The token that a state created, which replaces the pact's example. */
  token(): string | undefined;
  send(request: Sent): Promise<Reply>;
  /** The message that a state caused. */
  message(description: string): Promise<Webhook>;
  close(): Promise<void>;
}

/** Deadline of a call, in milliseconds. */
const answerDeadlineMs = 30_000;

/** A new reference implementation for each interaction, so that interactions do not affect each other. */
export async function referenceSubject(provider: ServiceName, start?: Start): Promise<Subject> {
  const reference = await openReference(provider, start);
  const world: World = { reference, values: {} };
  const setUp = (state: ProviderState) => setUpState(provider, world, state);
  return {
    setUp,
    token: () => world.values.token as string | undefined,
    send: (sent) => reference.send({ ...sent, path: underApi(sent.path) }),
    async message(description) {
      const named = world.webhook ? undefined : stateOfEvent(provider, description);
      if (named) await setUp({ name: named, params: {} });
      if (world.webhook) return world.webhook;
      throw new StateFailed(
        `The message "${description}" does not say which event it is about: name its state, such as "${stateOfEvent(provider, services[provider].exampleEvent)}".`,
      );
    },
    close: () => reference.close(),
  };
}

export interface Address {
  baseUrl: string;
  /** Gets `{action, state, params}` by POST and answers with the state's values, as in Pact's own verifiers. */
  stateUrl?: string | undefined;
}

/** A provider at a URL, with its own service for states. */
export function addressSubject({ baseUrl, stateUrl }: Address): Subject {
  let token: string | undefined;
  const states: ProviderState[] = [];
  const change = async (action: 'setup' | 'teardown', { name, params }: ProviderState) => {
    if (stateUrl === undefined) throw new StateFailed(`The state "${name}" cannot be set up at ${baseUrl}: pass --state-url.`);
    const body = JSON.stringify({ action, state: name, params });
    const reply = await post(stateUrl, { 'content-type': 'application/json' }, body);
    if (reply.status >= 300)
      throw new StateFailed(`${stateUrl} answered ${reply.status} for the state "${name}": ${reply.text.slice(0, 300)}`);
    return asRecord(reply.text);
  };
  return {
    async setUp(state) {
      states.push(state);
      const returned = await change('setup', state);
      if (typeof returned.token === 'string') token = returned.token;
      return returned;
    },
    token: () => token,
    send: (sent) => exchange(new URL(baseUrl).href.replace(/\/$/, '') + sent.path, sent),
    async message() {
      throw new Error(`Only the reference implementation sends messages: verify this pact without --base-url ${baseUrl}.`);
    },
    async close() {
      if (stateUrl !== undefined) for (const state of states.reverse()) await change('teardown', state);
    },
  };
}

export interface Receiver {
  /** The full URL for webhooks. */
  url: string;
  secret: string;
}

/** A partner's receiver. Each request gets a new signature over the sent bytes, which replaces the pact's example. */
export function receiverSubject({ url, secret }: Receiver): Subject {
  return {
    async setUp({ name }) {
      throw new StateFailed(`The state "${name}" cannot be set up: a receiver has no states.`);
    },
    token: () => undefined,
    send({ method, headers, body }) {
      const eventId = headers['webhook-id'] ?? 'evt_of_a_pact';
      const signed = signatureHeaders({ eventId, body, atMs: Date.now(), secrets: [secret], headerName: 'x-service-signature' });
      return exchange(url, { method, headers: { ...headers, ...signed }, body });
    },
    async message() {
      throw new Error('A receiver is called over HTTP: it cannot be verified with a message pact.');
    },
    close: async () => undefined,
  };
}

/** Replaces the pact's example token by the token that a state created. */
export function authorized(sent: Sent, token: string | undefined): Sent {
  const example = sent.headers.authorization;
  if (token === undefined || example === undefined || !/^Bearer /i.test(example)) return sent;
  return { ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } };
}

/** Returns the path from the root. Pacts may write paths as the documents do, relative to /api/v1. */
function underApi(path: string): string {
  return /^\/api(\/|$)/.test(path) ? path : `/api/v1${path}`;
}

const post = (url: string, headers: Record<string, string>, body: string) => exchange(url, { method: 'POST', headers, body });

async function exchange(url: string, { method, headers, body }: Omit<Sent, 'path'>): Promise<Reply> {
  try {
    const reply = await request(url, {
      method: method as 'GET',
      headers,
      ...(body === '' ? {} : { body }),
      signal: AbortSignal.timeout(answerDeadlineMs),
    });
    const written = Object.entries(reply.headers).map(([name, value]) => [name, String(value)]);
    return { status: reply.statusCode, headers: Object.fromEntries(written), text: await reply.body.text() };
  } catch (error) {
    throw new Error(`${url} did not answer: ${(error as Error).message || (error as NodeJS.ErrnoException).code}.`, {
      cause: error,
    });
  }
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
