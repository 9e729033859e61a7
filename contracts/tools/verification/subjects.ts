import { request } from 'undici';
import { signatureHeaders } from '../../../gateway/webhooks/sending/sign.ts';
import type { Provider } from '../../documents/services.ts';
import { openReference, type Reply, type Sent, type Start, type Webhook } from '../reference.ts';
import { StateFailed, setUpState, stateOfEvent } from '../states/register.ts';
import type { ProviderState, World } from '../states/state.ts';

/** What an interaction is verified against. Each method may throw: its message is reported. */
export interface Subject {
  /** Makes a state true, and gives what it returns. */
  setUp(state: ProviderState): Promise<Record<string, unknown>>;
  /** A token that a state made: it goes out instead of the pact's example. */
  token(): string | undefined;
  send(request: Sent): Promise<Reply>;
  /** The message that a state led to. */
  message(description: string): Promise<Webhook>;
  close(): Promise<void>;
}

/** How long an answer of an address may take, in milliseconds. */
const answerDeadlineMs = 30_000;

/** The reference implementation, started anew for each interaction, so that none sees what another left. */
export async function referenceSubject(provider: Provider, start?: Start): Promise<Subject> {
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
        `Which event the message "${description}" is about is not said: name its state, such as "${provider === 'pos' ? 'a sale was completed' : 'an intervention was validated'}".`,
      );
    },
    close: () => reference.close(),
  };
}

export interface Address {
  baseUrl: string;
  /** Takes `{action, state, params}` and answers with what the state returns, as Pact's own verifiers ask. */
  stateUrl?: string | undefined;
}

/** A provider at an address. Its states are set up by whoever runs it. */
export function addressSubject({ baseUrl, stateUrl }: Address): Subject {
  let token: string | undefined;
  const states: ProviderState[] = [];
  const change = async (action: 'setup' | 'teardown', { name, params }: ProviderState) => {
    if (stateUrl === undefined)
      throw new StateFailed(`The state "${name}" cannot be set up at ${baseUrl}: say with --state-url what does.`);
    const body = JSON.stringify({ action, state: name, params });
    const reply = await post(stateUrl, { 'content-type': 'application/json' }, body);
    if (reply.status >= 300)
      throw new StateFailed(`${stateUrl} answered ${reply.status} to the state "${name}": ${reply.text.slice(0, 300)}`);
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
      throw new Error(`Messages come from the reference implementation alone: verify this pact without --base-url (${baseUrl}).`);
    },
    async close() {
      if (stateUrl !== undefined) for (const state of states.reverse()) await change('teardown', state);
    },
  };
}

export interface Receiver {
  /** Where webhooks go, path and all. */
  url: string;
  secret: string;
}

/** A partner's receiver: what a pact shows as an example is signed anew, since a signature is of the bytes that are sent. */
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
      throw new Error('A receiver is called over HTTP: a message cannot be verified with it.');
    },
    close: async () => undefined,
  };
}

/** Sends the token that a state made instead of a pact's example, which no provider knows. */
export function authorized(sent: Sent, token: string | undefined): Sent {
  const example = sent.headers.authorization;
  if (token === undefined || example === undefined || !/^Bearer /i.test(example)) return sent;
  return { ...sent, headers: { ...sent.headers, authorization: `Bearer ${token}` } };
}

/** Pacts write paths from the host's root or, as the documents do, from a base address that ends in /api/v1. */
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
    throw new Error(`${url} gave no answer: ${(error as Error).message || (error as NodeJS.ErrnoException).code}.`, {
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
