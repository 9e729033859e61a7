import { afterAll } from 'vitest';
import type { ServiceName } from '../../contracts/documents/services.ts';
import type { Asked, JsonMessage } from '../../contracts/gaps/is/is.ts';
import type { JsonReply } from '../../contracts/json.ts';
import { askedBy, parsed } from '../../contracts/tools/assumptions/asked.ts';
import { openReference } from '../../contracts/tools/reference.ts';
import { ReferenceGateways } from '../../contracts/tools/reference-gateway.ts';
import { setUpState } from '../../contracts/tools/states/register.ts';
import type { World } from '../../contracts/tools/states/state.ts';
import { authorized } from '../../contracts/tools/verification/subjects.ts';
import { openRehearsingGateway } from '../../probe/rehearsing-gateway.ts';

type Values = Record<string, unknown>;
export type States = readonly (string | readonly [name: string, params: Values])[];

/** A call that a consumer might make. `:name` in its path stands for a value that a state returns. */
export interface Call {
  states?: States;
  request: string;
  headers?: Record<string, string>;
  body?: unknown | ((values: Values) => unknown);
  /** Further preparation that no state does. */
  before?(world: World): Promise<unknown>;
}

export interface Exchange {
  name: string;
  asked: Asked;
  reply: JsonReply;
  /** Under the alternatives that change it. */
  others: Readonly<Record<string, JsonReply>>;
}

const gateways = {
  pos: new ReferenceGateways('pos', openRehearsingGateway),
  cohesion: new ReferenceGateways('cohesion', openRehearsingGateway),
};
afterAll(() => Promise.all(Object.values(gateways).map((one) => one.close())));

/** Sets up the states, and works in their world. */
async function inWorld<T>(provider: ServiceName, states: States, work: (world: World) => Promise<T>): Promise<T> {
  const reference = await openReference(provider, gateways[provider]);
  const world: World = { reference, values: {} };
  try {
    for (const state of states) {
      const [name, params = {}] = [state].flat() as [string, Values?];
      await setUpState(provider, world, { name, params });
    }
    return await work(world);
  } finally {
    await reference.close();
  }
}

/** Makes a call to the reference implementation. Returns the request and the reply. */
export async function replyTo(provider: ServiceName, name: string, call: Call): Promise<Exchange> {
  return inWorld(provider, call.states ?? [], async (world) => {
    await call.before?.(world);
    const filled = call.request.replaceAll(/:(\w+)/g, (_, key: string) => String(world.values[key]));
    const [method = '', place = ''] = filled.split(' ');
    const path = place.startsWith('/api') ? place : `/api/v1${place}`;
    const body = typeof call.body === 'function' ? call.body(world.values) : call.body;
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(place.includes('/auth') ? {} : { authorization: 'Bearer example' }),
      ...call.headers,
    };
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const sent = authorized({ method, path, headers, body: text }, world.values.token as string | undefined);
    const { status, headers: answered, text: received, others = {} } = await world.reference.send(sent);
    const url = new URL(path, 'http://localhost');
    const query = Object.fromEntries([...url.searchParams].map(([key, value]) => [key, [value]]));
    const written = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]]));
    const asked = askedBy({ method, path: url.pathname, query, headers: written, body: parsed(text) });
    return { name, asked, reply: { status, headers: answered, body: parsed(received) }, others };
  });
}

/** Returns the message of the event that a state causes. */
export async function messageOf(provider: ServiceName, state: string): Promise<JsonMessage> {
  return inWorld(provider, [state], async ({ webhook }) => {
    if (!webhook) throw new Error(`${state} caused no webhook.`);
    const body = parsed(webhook.body) as { event: string };
    return { event: body.event, metadata: { ...webhook.headers }, body };
  });
}
