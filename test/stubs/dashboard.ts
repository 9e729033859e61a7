import type { StubOptions } from '../../stubs/stub.ts';
import type { Assumed } from '../../stubs/types.ts';
import { call, openReceiver, openStub } from './partner.ts';

/** The time at which the clock of these stubs stands. */
export const clock = '2026-11-21T08:00:00Z';

export const financing = {
  structure_id: 1,
  exercice: 2026,
  bailleur: 'UE',
  type: 'bailleur',
  intitule: 'Appui',
  montant: 50,
  statut: 'promis',
} as const;

/** A stub of cohesion with a receiver, and calls with its widest token. */
export async function dashboard(assume: Assumed, options: StubOptions<'cohesion'> = {}) {
  const receiver = await openReceiver(204);
  const stub = await openStub('cohesion', { assume, clock, webhooks: [{ url: receiver.url }], ...options });
  const { token } = stub.credentials;
  const ask = (method: string, path: string, body?: unknown, as = token) =>
    call(stub, method, `/api/v1${path}`, { token: as, ...(body === undefined ? {} : { body }) });
  const events = () => receiver.received.map(({ body }) => JSON.parse(body));
  /** Causes an event. Returns its payload as the receiver got it. */
  const caused = async (event: string, on?: string) => {
    await stub.trigger(event, undefined, on === undefined ? {} : { on });
    return events().findLast((one) => one.event === event)?.data;
  };
  return { stub, receiver, ask, events, caused };
}
