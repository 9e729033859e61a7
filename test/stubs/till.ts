import type { StubOptions } from '../../stubs/stub.ts';
import type { Assumed } from '../../stubs/types.ts';
import { aSale, call, openReceiver, openStub, signIn } from './partner.ts';

export const clock = '2026-11-21T08:00:00Z';
export const mobileSale = { ...aSale(), payment_method: 'mobile_money' as const };
export const phone = '+2250700000001';
export const inventory = '/inventory?store_id=STORE-ABJ-01';

/** A pos stub that stands still in time, with a receiver, and the calls of a till. */
export async function till(assume: Assumed, options: StubOptions<'pos'> = {}) {
  const receiver = await openReceiver(204);
  const stub = await openStub('pos', { assume, clock, webhooks: [{ url: receiver.url }], ...options });
  const token = await signIn(stub);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(stub, method, `/api/v1${path}`, { token, headers, ...(body === undefined ? {} : { body }) });
  const pay = (reference: string, amount: number) =>
    ask('POST', '/payment/mobile', { amount, phone, provider: 'mtn_momo', reference });
  /** The webhooks that were sent, in the order of their events. */
  const sent = async () => {
    await stub.settled();
    return receiver.received.map(({ body }) => JSON.parse(body));
  };
  return { stub, receiver, token, ask, pay, sent };
}
