import { expect, test } from 'vitest';
import { type Entry, type Gate, lookAgainMs } from '../../gateway/queue/gate/port.ts';

export interface GateUnderTest {
  gate: Gate;
  /** Advances time without waiting. */
  advance(ms: number): Promise<void>;
}

export const leaseMs = 60_000;

const wish = (deliveryId: string, given: Partial<Entry> = {}): Entry => ({
  endpointId: 'end_1',
  deliveryId,
  maxInFlight: 100,
  maxPerSecond: null,
  ...given,
});

/** The tests of every Gate. `open` returns a new one with leases of `leaseMs`. One call to `enter` sees one time. */
export function gateConformance(open: () => Promise<GateUnderTest>): void {
  test('admits up to the maximum in flight, and more when some have left', async () => {
    const { gate } = await open();
    const few = { maxInFlight: 2 };
    expect(await gate.enter([wish('a', few), wish('b', few), wish('c', few)])).toEqual([null, null, lookAgainMs]);
    expect(await gate.enter([wish('c', few)])).toEqual([lookAgainMs]);
    await gate.leave([wish('a')]);
    expect(await gate.enter([wish('c', few), wish('d', few)])).toEqual([null, lookAgainMs]);
  });

  test('says how many attempts are in flight at each endpoint', async () => {
    const { gate, advance } = await open();
    await gate.enter([wish('a'), wish('b'), wish('c', { endpointId: 'end_2' })]);
    expect(await gate.inFlight(['end_2', 'end_1', 'end_3'])).toEqual([1, 2, 0]);
    await gate.leave([wish('a')]);
    expect(await gate.inFlight(['end_1'])).toEqual([1]);
    await advance(leaseMs + 1);
    expect(await gate.inFlight(['end_1', 'end_2'])).toEqual([0, 0]);
    expect(await gate.inFlight([])).toEqual([]);
  });

  test('endpoints do not block each other', async () => {
    const { gate } = await open();
    const alone = { maxInFlight: 1, maxPerSecond: 1 };
    const entries = ['end_1', 'end_2', 'end_3'].map((endpointId) => wish(`to ${endpointId}`, { ...alone, endpointId }));
    expect(await gate.enter(entries)).toEqual([null, null, null]);
    await gate.leave(entries.slice(0, 1));
    const more = entries.map((entry) => ({ ...entry, deliveryId: `more ${entry.deliveryId}`, maxPerSecond: null }));
    expect(await gate.enter(more)).toEqual([null, lookAgainMs, lookAgainMs]);
  });

  test('a delivery with a lease is admitted even if the endpoint is at its maximum', async () => {
    const { gate } = await open();
    const alone = { maxInFlight: 1, maxPerSecond: 1 };
    expect(await gate.enter([wish('a', alone), wish('a', alone), wish('a', alone)])).toEqual([null, null, null]);
    expect(await gate.enter([wish('b', alone), wish('a', alone)])).toEqual([lookAgainMs, null]);
  });

  test('a lease that was not returned expires; a renewed one lasts longer', async () => {
    const { gate, advance } = await open();
    const two = { maxInFlight: 2 };
    await gate.enter([wish('killed', two), wish('renewed', two)]);
    await advance(leaseMs / 2);
    expect(await gate.enter([wish('renewed', two), wish('c', two)])).toEqual([null, lookAgainMs]);
    await advance(leaseMs / 2 + 1000);
    expect(await gate.enter([wish('c', two), wish('d', two)])).toEqual([null, lookAgainMs]);
  });

  test('starts no more per second than the maximum, after one second’s burst', async () => {
    const { gate, advance } = await open();
    const slow = { maxPerSecond: 2 };
    const first = await gate.enter(['a', 'b', 'c', 'd', 'e'].map((id) => wish(id, slow)));
    expect(first).toEqual([null, null, null, 500, 500]);
    await advance(10_000);
    const again = await gate.enter(['d', 'e', 'f', 'g'].map((id) => wish(id, slow)));
    expect(again).toEqual([null, null, null, 500]);
  });

  test('the wait says when the rate allows an attempt, also below one per second', async () => {
    const { gate, advance } = await open();
    const rare = { maxPerSecond: 0.1 };
    expect(await gate.enter([wish('a', rare), wish('b', rare)])).toEqual([null, 9000]);
    await advance(9000);
    expect(await gate.enter([wish('b', rare), wish('c', rare)])).toEqual([null, expect.any(Number)]);
  });

  test('an attempt that is not admitted does not count towards the rate', async () => {
    const { gate } = await open();
    const both = { maxInFlight: 1, maxPerSecond: 2 };
    expect(await gate.enter([wish('a', both), wish('b', both), wish('c', both)])).toEqual([null, lookAgainMs, lookAgainMs]);
    await gate.leave([wish('a')]);
    expect(await gate.enter([wish('b', both)])).toEqual([null]);
  });

  test('leaving twice, without entering, or without entries does nothing', async () => {
    const { gate } = await open();
    await gate.leave([wish('stranger')]);
    await gate.enter([wish('a', { maxInFlight: 1 })]);
    await gate.leave([wish('a'), wish('a')]);
    expect(await gate.enter([wish('b', { maxInFlight: 1 })])).toEqual([null]);
    await gate.leave([]);
    expect(await gate.enter([])).toEqual([]);
  });
}
