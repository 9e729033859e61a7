import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { Refusal } from '../gateway/base/errors.ts';
import { closeFeatures, type Feature, resetFeatures } from '../gateway/base/features.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { Assumptions } from './assume/assumptions.ts';
import type { StubClock } from './clock.ts';
import type { Core } from './core.ts';
import type { StubData } from './data.ts';
import { checkDeliveryFilter } from './delivery-filter.ts';
import { durationMs } from './duration.ts';
import type { Faults } from './faults/faults.ts';
import type { Journal } from './journal/journal.ts';
import { profileOf } from './profile/profile.ts';
import { trigger } from './trigger.ts';
import type { Stub, StubEvent, StubOperations } from './types.ts';
import { waitForDelivery } from './wait-for-delivery.ts';
import { deliveriesOf, resend } from './webhooks.ts';
import type { Worlds } from './worlds/worlds.ts';

/** Who is told of each attempt. The journal tells of calls. */
export class Subscribers {
  readonly #listeners = new Set<(event: StubEvent) => void>();

  tell(event: StubEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  readonly attempted = (attempt: Extract<StubEvent, { kind: 'attempt' }>['attempt']): void =>
    this.tell({ kind: 'attempt', attempt });

  add(listener: (event: StubEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export interface OperationParts<A extends ServiceName> {
  api: A;
  core: Core;
  data: StubData<A>;
  clock: StubClock;
  faults: Faults;
  assumptions: Assumptions;
  journal: Journal;
  events: Subscribers;
  features: readonly Feature[];
  /** Ends what waits for the stub. */
  closing: AbortController;
  worlds: Worlds<A>;
}

/** What a program can do with a stub. */
export function operationsOfStub<A extends ServiceName>(parts: OperationParts<A>): StubOperations<A> {
  const { api, core, data, clock, faults, assumptions, journal, events, features, closing, worlds } = parts;
  const { services, catalogue, operatorToken, webhooks } = core;
  const settled = async () => {
    do {
      await core.payments?.settled();
      await webhooks.settled();
    } while ((await assumptions.settle()) || core.payments?.isBusy);
  };
  const gateway = { services, catalogue, settled };
  const { secret, credentials } = data;
  const apiKey = 'apiKey' in credentials ? credentials.apiKey : undefined;
  const { payments } = core;
  const triggerAll: Stub['triggerAll'] = (sent, options) =>
    trigger({ gateway, service: api, apiKey, secret, payments }, sent, options);
  const close = () => {
    closing.abort(new CouldNotRun('stub.close() was called during this wait. Close the stub later.'));
    return closeFeatures(features);
  };
  const untilClosed = <O extends { signal?: AbortSignal }>(options?: O) => ({
    ...options,
    signal: AbortSignal.any([closing.signal, ...(options?.signal ? [options.signal] : [])]),
  });
  return {
    api,
    operatorToken,
    secret,
    faults,
    assumptions: assumptionsShown(assumptions),
    endpoints: data.endpoints,
    profile: profileOf({ api, gateway, credentials, add: data.add }),
    triggerAll,
    settled,
    close,
    [Symbol.asyncDispose]: close,
    [Symbol.dispose]: () => void close().catch(() => {}),
    clock: { now: () => clock.now(), advance: async (duration) => clock.advance(durationMs(duration), settled) },
    async trigger(event, given, { on, ...options } = {}) {
      const [triggered] = await triggerAll([{ event, data: given, on }], options);
      if (!triggered) throw new Error(`The event ${event} was not stored.`);
      return triggered;
    },
    payments: paymentsOf(api, core.payments, settled),
    async deliveries(filter = {}) {
      await checkDeliveryFilter(gateway, filter);
      return deliveriesOf(gateway, filter);
    },
    resend: (id) => resend(gateway, id),
    waitForDelivery: (filter, options) =>
      waitForDelivery({ gateway, subscribe: (told) => events.add(told) }, filter, untilClosed(options)),
    calls: (filter) => journal.check(filter),
    waitForCall: (filter, options) => journal.checkNext(filter, untilClosed(options)),
    expectCalls: (filter) => journal.expect(filter),
    uncheckedCalls: () => journal.unchecked(),
    clearCalls: () => journal.clear(),
    har: (options) => journal.har(options),
    subscribe(listener) {
      const ends = [events.add(listener), journal.subscribe((call) => listener({ kind: 'call', call }))];
      return () => {
        for (const end of ends) end();
      };
    },
    world: (options) => worlds.add(options),
    worlds: () => worlds.list(),
    state: () => data.state(),
    reset: () => resetFeatures(features),
  };
}

/** Payments as programs get them. A payment that is settled by hand delivers its webhooks first. */
function paymentsOf(api: ServiceName, payments: Core['payments'], settled: () => Promise<void>): Stub['payments'] {
  const known = () => {
    if (payments) return payments;
    throw new Refusal('not_found', 'no_payments', `${api} has no payments. They belong to pos.`);
  };
  return {
    rules: payments?.rules ?? [],
    testNumbers: payments?.testNumbers ?? [],
    list: async (filter) => known().list(filter),
    async settle(id, as) {
      const payment = await known().settle(id, as);
      await settled();
      return payment;
    },
  };
}

/** The assumptions as programs get them. */
const assumptionsShown = (assumptions: Assumptions): Stub['assumptions'] => ({
  list: () => assumptions.list(),
  add: (assumed) => assumptions.add(assumed),
  replace: (assumed) => assumptions.replace(assumed),
  remove: (gap) => assumptions.remove(gap),
  clear: () => assumptions.replace({}),
});
