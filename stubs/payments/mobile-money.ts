import type { Big } from 'big.js';
import { endPayment } from '../../gateway/api/pos/back-office/end-payment.ts';
import { sumOf } from '../../gateway/api/pos/domain/decimals.ts';
import type { MobileMoney } from '../../gateway/api/pos/domain/mobile-money.ts';
import type { PosPolicy } from '../../gateway/api/pos/policy.ts';
import { invalid, Refusal } from '../../gateway/base/errors.ts';
import type { Logger } from '../../gateway/base/log.ts';
import { didYouMean, nearestOf } from '../../gateway/base/nearest.ts';
import type { Services } from '../../gateway/http/api.ts';
import { toInstant } from '../../gateway/http/fields.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { paymentEnds, paymentStatuses } from '../../gateway/store/tables/pos.ts';
import type { EventCause } from '../../gateway/store/tables/webhooks.ts';
import type { Change, RunChange } from '../../gateway/webhooks/outbox/change.ts';
import type { PaymentEnding } from '../seed/sales.ts';
import { type Charged, type MobileMoneyRule, mobileMoneyText, takes } from './rule.ts';
import type { PaymentEnd, PaymentFilter, StubPayment } from './types.ts';

export interface MobileMoneyParts {
  services: Pick<Services, 'store' | 'clock' | 'change'>;
  log: Logger;
  /** The first rule that takes a payment decides. Without one it is received at once. */
  rules: readonly MobileMoneyRule[];
  /** The rule of payments that no other takes, at the moment of the payment. Default: none. */
  otherwise?: () => MobileMoneyRule | undefined;
  /** Choices of what a received payment does. Default: those of the gap register. */
  policy?: PosPolicy;
  /** Called before a pending payment ends by the clock or by hand. */
  ending?: ((id: string, as: PaymentEnd) => Promise<void> | undefined) | undefined;
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
  /** The counts in which it was counted. A reset begins new ones. */
  taken: number[];
  now: number;
  causedBy: EventCause | null;
}

/**
 * Mobile-money operators that take their time, by the rules of the stub. What is pending is in the rows; how and when it ends is
 * a task of the stub's clock, so that advancing the clock ends it and delivers its webhooks.
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
  readonly #ending = new Set<Promise<void>>();
  /** The charges of the change that runs. The store of a stub runs one after another. */
  #running: { tx: Rows; charges: Charge[] } | undefined;

  constructor(parts: MobileMoneyParts) {
    this.#parts = parts;
    this.#rules = parts.rules;
  }

  /** The rules as text. */
  get rules(): string[] {
    return this.#rules.map(mobileMoneyText);
  }

  /** Begins the endings of the seed's payments, at the start and after each reset. */
  start(): void {
    this.#taken = this.#rules.map(() => 0);
    this.#ended.clear();
    for (const [id, ending] of this.#ofSeed) this.#schedule(id, ending, null);
  }

  /** Goes on with the rules of another stub, and with the payments that they took. */
  goOnAs(other: StubMobileMoney): void {
    this.#rules = other.#rules;
    this.#taken = [...other.#taken];
  }

  /** Cancels every ending, and waits for those that have begun. */
  async stop(): Promise<void> {
    for (const { cancel } of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    await this.settled();
  }

  /** Resolves when no payment is ending. */
  async settled(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
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
        for (const { at, taken } of charges) taken[at] = (taken[at] ?? 0) - 1;
      };
      const followed = (change: Change) => {
        // The store may run the work again.
        giveBack();
        charges = [];
        this.#running = { tx: change.tx, charges };
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
    const charges = this.#running?.tx === tx ? this.#running.charges : undefined;
    if (!charges) throw new Error('A payment was charged by a change that `follow` did not start.');
    const taken = this.#taken;
    taken[at] = (taken[at] ?? 0) + 1;
    charges.push({ id: payment.id, rule, at, taken, now, causedBy });
    return rule.status;
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
    const { log, services } = this.#parts;
    const { clock } = services;
    const cancel = clock.after(ending.atMs - clock.now(), () => {
      this.#scheduled.delete(id);
      const running = this.#end(id, ending.as, causedBy).then(
        () => {},
        (error) => {
          // It was ended by hand or by a trigger meanwhile.
          if (!(error instanceof Refusal)) log.error({ err: error, payment: id }, 'A payment could not be ended.');
        },
      );
      this.#ending.add(running);
      void running.then(() => this.#ending.delete(running));
    });
    this.#scheduled.set(id, { ...ending, causedBy, cancel });
  }

  async #end(id: string, as: PaymentEnd, causedBy: EventCause | null): Promise<StubPayment> {
    const { services, policy, ending } = this.#parts;
    await ending?.(id, as);
    const by = causedBy ?? this.#scheduled.get(id)?.causedBy ?? null;
    await services.change((step) => endPayment(step, { id, as }, policy), by);
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
  const message = `"${name}" cannot be the ${field} of a payment. Did you mean ${nearestOf(name, known)}? Use one of ${known.join(', ')}.`;
  throw invalid(field, 'one_of', message);
}
