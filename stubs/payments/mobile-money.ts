import type { Big } from 'big.js';
import { endPayment } from '../../gateway/api/pos/back-office/end-payment.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { MobileMoney } from '../../gateway/api/pos/domain/mobile-money.ts';
import { invalid, Refusal } from '../../gateway/base/errors.ts';
import type { Logger } from '../../gateway/base/log.ts';
import { didYouMean, refusedName } from '../../gateway/base/nearest.ts';
import type { Services } from '../../gateway/http/api.ts';
import { toInstant } from '../../gateway/http/fields.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { paymentEnds, paymentStatuses } from '../../gateway/store/tables/pos.ts';
import type { EventCause } from '../../gateway/store/tables/webhooks.ts';
import type { AttemptReport } from '../../gateway/webhooks/model/listener.ts';
import { resendDelivery } from '../../gateway/webhooks/operator/manual.ts';
import type { Change, RunChange } from '../../gateway/webhooks/outbox/change.ts';
import type { PaymentEnding } from '../seed/sales.ts';
import type { TestNumber } from '../types.ts';
import { type Charged, type MobileMoneyRule, mobileMoneyText, takes } from './rule.ts';
import { testNumbers } from './test-numbers.ts';
import type { PaymentEnd, PaymentFilter, StubPayment } from './types.ts';

export interface MobileMoneyParts {
  services: Pick<Services, 'store' | 'clock' | 'change'>;
  log: Logger;
  /** The first rule that takes a payment decides. Without one it is received at once. */
  rules: readonly MobileMoneyRule[];
  /** The rule of payments that no other takes, at the moment of the payment. Default: none. */
  otherwise?: () => MobileMoneyRule | undefined;
  /** Told of each pending payment that ends. Must not throw. */
  ended(payment: StubPayment): void;
}

interface Scheduled extends PaymentEnding {
  /** The call that made the payment. */
  causedBy: EventCause | null;
  cancel(): void;
}

/** What a rule decided for a payment whose change is not committed yet. */
interface Charge {
  id: string;
  rule: MobileMoneyRule;
  /** The rule's place in `taken`. */
  at: number;
  /** The list of counts that includes it. A reset makes a new list. */
  taken: number[];
  now: number;
  causedBy: EventCause | null;
}

/**
 * Mobile-money operators that take their time, by the rules of the stub. Pending payments are in the rows. Their end is a task of
 * the stub's clock, so advancing the clock ends them and delivers their webhooks.
 */
export class StubMobileMoney implements MobileMoney {
  readonly #parts: MobileMoneyParts;
  #rules: readonly MobileMoneyRule[];
  /** How many payments each rule took. */
  #taken: number[] = [];
  readonly #scheduled = new Map<string, Scheduled>();
  /** When pending payments ended, in milliseconds since 1970. */
  readonly #ended = new Map<string, number>();
  /** The endings of the seed's pending payments. */
  readonly #ofSeed = new Map<string, PaymentEnding>();
  /** The rules that say what becomes of webhooks, by the calls that cause those. */
  readonly #ofWebhooks = new Map<EventCause, MobileMoneyRule>();
  readonly #running = new Set<Promise<void>>();
  /** The charges of the running change. There is only one, because the store of a stub runs changes one after another. */
  #change: { tx: Rows; charges: Charge[] } | undefined;

  constructor(parts: MobileMoneyParts) {
    this.#parts = parts;
    this.#rules = parts.rules;
  }

  get rules(): string[] {
    return this.#rules.map(mobileMoneyText);
  }

  /** The test numbers among them. */
  get testNumbers(): TestNumber[] {
    const { rules } = this;
    return testNumbers.filter(({ rule }) => rules.includes(rule));
  }

  /** Begins the endings of the seed's payments, at the start and after each reset. */
  start(): void {
    this.#taken = this.#rules.map(() => 0);
    this.#ended.clear();
    this.#ofWebhooks.clear();
    for (const [id, ending] of this.#ofSeed) this.#schedule(id, ending, null);
  }

  /** Cancels every ending, and waits for those that have begun. */
  async stop(): Promise<void> {
    for (const { cancel } of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    await this.settled();
  }

  /** Resolves when no payment is ending and no webhook is about to be sent again. */
  async settled(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#running);
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Adds the ending of a pending payment of the seed. It begins with `start`. */
  addOfSeed(id: string, ending: PaymentEnding): void {
    this.#ofSeed.set(id, ending);
  }

  /**
   * Returns `run` for changes that charge payments. Endings begin after the commit. If the change is undone, its payments count
   * for no rule.
   */
  follow(run: RunChange): RunChange {
    return async (work, causedBy) => {
      let charges: Charge[] = [];
      const giveBack = () => {
        for (const { at, taken, causedBy } of charges) {
          taken[at] = (taken[at] ?? 0) - 1;
          if (causedBy !== null) this.#ofWebhooks.delete(causedBy);
        }
      };
      const followed = (change: Change) => {
        // The store may run the work again.
        giveBack();
        charges = [];
        this.#change = { tx: change.tx, charges };
        return work(change);
      };
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await run(followed, causedBy);
      } catch (error) {
        giveBack();
        throw error;
      }
      for (const charge of charges) this.#begin(charge);
      return result;
    };
  }

  charge(
    payment: Charged & { id: string },
    { tx, now, causedBy }: Pick<Change, 'tx' | 'now' | 'causedBy'>,
  ): 'received' | 'pending' {
    const at = this.#rules.findIndex(
      (rule, place) => takes(rule, payment) && (this.#taken[place] ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    );
    const rule = this.#rules[at] ?? this.#parts.otherwise?.();
    if (!rule) return 'received';
    const charges = this.#change?.tx === tx ? this.#change.charges : undefined;
    if (!charges) throw new Error('A payment was charged by a change that `follow` did not start.');
    const taken = this.#taken;
    taken[at] = (taken[at] ?? 0) + 1;
    charges.push({ id: payment.id, rule, at, taken, now, causedBy });
    // Set before the commit, because the commit may send the webhooks at once.
    if (rule.webhook !== undefined && causedBy !== null) this.#ofWebhooks.set(causedBy, rule);
    return rule.status;
  }

  /** Returns what becomes of the webhooks that a call causes; undefined if nothing special does. */
  fateOfWebhooks(causedBy: EventCause | null): MobileMoneyRule['webhook'] {
    return this.#ofWebhooks.get(causedBy ?? '')?.webhook;
  }

  /** Returns the rule that loses the webhooks of a call, as text. */
  lossOf(causedBy: EventCause | null): string | undefined {
    const rule = this.#ofWebhooks.get(causedBy ?? '');
    return rule?.webhook === 'lost' ? mobileMoneyText(rule) : undefined;
  }

  /** Sends an accepted webhook a second time if the rules say `twice`. */
  attempted({ deliveryId, eventId, outcome, manual }: AttemptReport): void {
    if (this.#ofWebhooks.size === 0 || outcome !== 'success' || manual) return;
    const { store, change } = this.#parts.services;
    this.#run({ delivery: deliveryId }, async () => {
      const event = await store.get('events', { id: eventId });
      if (this.fateOfWebhooks(event?.caused_by ?? null) === 'twice') await change((step) => resendDelivery(step, deliveryId));
    });
  }

  #begin({ id, rule, taken, now, causedBy }: Charge): void {
    if (rule.forMs === undefined || rule.end === undefined || taken !== this.#taken) return;
    this.#schedule(id, { atMs: now + rule.forMs, as: rule.end }, causedBy);
  }

  async awaited(rows: Rows, { id }: Row<'sales'>): Promise<Big> {
    const pending = await rows.list('payments', { where: { sale_id: id, status: 'pending' } });
    return sumOf(pending.map(({ amount }) => amount));
  }

  endingOf(id: string): PaymentEnding | undefined {
    return this.#scheduled.get(id);
  }

  /** Returns the payments that match, oldest first. Throws `invalid` for an unknown status or reference. */
  async list(filter: PaymentFilter = {}): Promise<StubPayment[]> {
    const { status, reference } = filter;
    if (status !== undefined) checkName('status', status, paymentStatuses);
    const { store } = this.#parts.services;
    const sale = reference === undefined ? undefined : await store.get('sales', { reference });
    if (reference !== undefined && !sale) throw await this.#unknownSale(reference);
    const where = { ...(status && { status }), ...(sale && { sale_id: sale.id }) };
    return this.#shown(await store.list('payments', { where, order: [['id', 'asc']] }));
  }

  /** A misspelt reference would look like a sale without payments. */
  async #unknownSale(reference: string): Promise<Error> {
    const references = (await this.#parts.services.store.list('sales', {})).map((one) => one.reference);
    const hint = didYouMean(reference, references);
    return invalid('reference', 'unknown', `There is no sale with the reference "${reference}". ${hint}`.trimEnd());
  }

  /** Ends a pending payment now. Throws `invalid`, `not_found`, or `conflict` if it is not pending. */
  async settle(id: string, as: PaymentEnd = 'received'): Promise<StubPayment> {
    checkName('as', as, paymentEnds);
    if (!(await this.#parts.services.store.get('payments', { id })))
      throw new Refusal('not_found', 'unknown_payment', `There is no payment ${id}. GET /_stub/payments lists all of them.`);
    return this.#end(id, as, null);
  }

  #schedule(id: string, ending: PaymentEnding, causedBy: EventCause | null): void {
    const { clock } = this.#parts.services;
    const cancel = clock.after(ending.atMs - clock.now(), () => {
      this.#scheduled.delete(id);
      this.#run({ payment: id }, () => this.#end(id, ending.as, causedBy));
    });
    this.#scheduled.set(id, { ...ending, causedBy, cancel });
  }

  #run(what: object, work: () => Promise<unknown>): void {
    const running = work().then(
      () => {},
      (error) => {
        // The payment was ended by hand or by a trigger meanwhile, or the endpoint was removed.
        if (!(error instanceof Refusal)) this.#parts.log.error({ err: error, ...what }, 'mobile-money.failed');
      },
    );
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  async #end(id: string, as: PaymentEnd, causedBy: EventCause | null): Promise<StubPayment> {
    const { services } = this.#parts;
    const by = causedBy ?? this.#scheduled.get(id)?.causedBy ?? null;
    await services.change((step) => endPayment(step, { id, as }), by);
    return this.noteEnd(id);
  }

  /** Notes that a change has ended a pending payment: it does not end again, and whoever follows payments is told. */
  async noteEnd(id: string): Promise<StubPayment> {
    const { services, ended } = this.#parts;
    this.#scheduled.get(id)?.cancel();
    this.#scheduled.delete(id);
    this.#ended.set(id, services.clock.now());
    const [payment] = await this.#shown(await services.store.list('payments', { where: { id } }));
    if (!payment) throw new Error(`payment ${id} disappeared`);
    ended(payment);
    return payment;
  }

  async #shown(payments: readonly Row<'payments'>[]): Promise<StubPayment[]> {
    const ids = [...new Set(payments.map(({ sale_id }) => sale_id))];
    const sales = await this.#parts.services.store.list('sales', { where: { id: { in: ids } } });
    const referenceOf = new Map(sales.map(({ id, reference }) => [id, reference]));
    return payments.map(({ id, sale_id, amount, phone, provider, status, created_at }) => {
      const ending = status === 'pending' ? this.#scheduled.get(id) : undefined;
      const endedMs = this.#ended.get(id);
      return {
        id,
        reference: referenceOf.get(sale_id) ?? sale_id,
        amount: Number(amount),
        phone,
        provider,
        status,
        created_at: toInstant(created_at),
        settles_at: ending ? toInstant(ending.atMs) : null,
        settles_as: ending?.as ?? null,
        settled_at: endedMs === undefined ? null : toInstant(endedMs),
      };
    });
  }
}

function checkName(field: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const message = refusedName(name, `cannot be the ${field} of a payment`, known);
  throw invalid(field, 'one_of', message);
}
