import { afterAll } from 'vitest';
import { openReference } from '../../contracts/tools/reference.ts';
import { ReferenceGateways } from '../../contracts/tools/reference-gateway.ts';
import { setUpState } from '../../contracts/tools/states/register.ts';
import type { World } from '../../contracts/tools/states/state.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { Asked, JsonMessage } from '../../spec/gaps/is/is.ts';
import type { JsonReply } from '../../spec/json.ts';
import { askedBy, parsed } from '../../spec/openapi/asked.ts';
import { openRehearsingGateway } from '../../stubs/assume/rehearsing-gateway.ts';
import type { Send } from './observed/making.ts';

type Values = Record<string, unknown>;
export type States = readonly (string | readonly [name: string, params: Values])[];

/** Calls to the reference implementation, after these states. */
export interface Session {
  states: States;
  make(send: Send, values: Values, world: World): Promise<unknown>;
}

/** A request, and its reply. */
export interface Exchange {
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

/** Makes the calls of a session to the reference implementation. */
export async function exchangesOf(provider: ServiceName, { states, make }: Session): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  await inWorld(provider, states, async (world) => {
    const send: Send = async ({ body = '', ...sent }) => {
      const { status, headers, text, others = {} } = await world.reference.send({ ...sent, body });
      const asked = askedBy(provider, sent.method, sent.path, Object.fromEntries(new Headers(sent.headers)), body);
      exchanges.push({ asked, reply: { status, headers, body: parsed(text) }, others });
      return { status, headers: new Headers(headers), text };
    };
    await make(send, world.values, world);
  });
  return exchanges;
}

/** Returns the message of the event that a state causes. */
export async function messageOf(provider: ServiceName, state: string): Promise<JsonMessage> {
  return inWorld(provider, [state], async ({ webhook }) => {
    if (!webhook) throw new Error(`${state} caused no webhook.`);
    const body = parsed(webhook.body) as { event: string };
    return { event: body.event, metadata: { ...webhook.headers }, body };
  });
}
