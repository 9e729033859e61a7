import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { type At, brokenBy, type Delivery } from './delivery.ts';
import { Findings, type Found } from './findings.ts';
import { checkLimits, covers, limits, type Receipt } from './limits.ts';
import { type Acknowledged, type Declared, type Line, type Received, type Recorded, type Rule, rules } from './line.ts';

interface Endpoint {
  name: string;
  declared: Declared[];
  /** The line of the first request, and all requests if something limits them. */
  first?: number;
  receipts: Receipt[];
}

interface Event {
  acknowledged?: At;
  isListed: boolean;
  digest?: { text: string; line: number };
  deliveries: (Delivery & { endpoint: Endpoint })[];
}

export interface Checked {
  counts: Record<'lines' | 'acknowledged' | 'owed' | 'taken' | 'pending' | 'given_up' | 'duplicates' | 'excused', number>;
  /** The number of findings of each rule. */
  found: Partial<Record<Rule, number>>;
  /** The first hundred findings of each rule. */
  findings: readonly Found[];
}

/** Checks the lines of a history one by one. It keeps what it needs of each event, and of each request to an endpoint with limits. */
export class HistoryCheck {
  readonly #skewMs: number;
  readonly #findings = new Findings();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #events = new Map<string, Event>();
  readonly #counts = { lines: 0, acknowledged: 0, owed: 0, taken: 0, pending: 0, given_up: 0, duplicates: 0, excused: 0 };
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `skewMs`: by how much the clocks of the sender and of the receivers may differ. */
  constructor(skewMs: number) {
    this.#skewMs = skewMs;
  }

  /** Throws `CouldNotRun` if the line does not fit the ones before it. */
  add(line: Line, number: number): void {
    this.#counts.lines += 1;
    if ('at' in line && line.at !== undefined) this.#lastAt = Math.max(this.#lastAt, line.at);
    if (line.kind === 'endpoint') this.#declare(line);
    else if (line.kind === 'acknowledged') this.#acknowledge(line, number);
    else if (line.kind === 'received') this.#receive(line, number);
    else this.#record(line, number);
  }

  /** Throws `CouldNotRun` if the history has too little to find any mistake. */
  result(): Checked {
    if (this.#counts.acknowledged === 0)
      throw new CouldNotRun(
        'No line says what was acknowledged, so nothing can be lost. Write a line of kind acknowledged for each event.',
      );
    for (const [id, event] of this.#events) this.#judge(id, event);
    for (const { receipts, declared } of this.#endpoints.values()) checkLimits(receipts, declared, this.#skewMs, this.#findings);
    return {
      counts: this.#counts,
      found: Object.fromEntries(this.#findings.counts),
      findings: this.#findings.kept.toSorted((one, other) => rules.indexOf(one.rule) - rules.indexOf(other.rule)),
    };
  }

  #declare(line: Declared): void {
    const endpoint = this.#endpoint(line.endpoint);
    if (endpoint.first !== undefined && endpoint.declared.length === 0)
      throw new CouldNotRun(
        `${line.endpoint} is declared after its first request (line ${endpoint.first}). Declare endpoints first.`,
      );
    endpoint.declared.push(line);
  }

  #acknowledge({ event: id, at, endpoints, digest }: Acknowledged, line: number): void {
    this.#counts.acknowledged += 1;
    const event = this.#event(id);
    event.acknowledged ??= { at, line };
    const declared = [...this.#endpoints.values()].filter((one) => one.declared.some((period) => covers(period, at)));
    const owed = endpoints?.map((name) => this.#endpoint(name)) ?? declared;
    if (endpoints === undefined && owed.length === 0)
      throw new CouldNotRun('It has no endpoints, and none is declared for this time above. So nobody is owed the event.');
    if (endpoints !== undefined) event.isListed = true;
    for (const endpoint of owed) deliveryOf(event, endpoint).isOwed = true;
    this.#compare(event, { id, endpoint: null, digest, line });
  }

  #receive(receipt: Received, line: number): void {
    const { event: id, at, status = 0, excuses } = receipt;
    const [event, endpoint] = [this.#event(id), this.#endpoint(receipt.endpoint)];
    endpoint.first ??= line;
    if (excuses) this.#counts.excused += 1;
    if (endpoint.declared.some(limits)) {
      refuseIncomplete(receipt, endpoint);
      const { ended, sequence } = receipt;
      endpoint.receipts.push({ event: id, endpoint: endpoint.name, at, ended, sequence, excuses, line });
    }
    const delivery = deliveryOf(event, endpoint);
    delivery.first ??= line;
    if (!excuses?.includes('duplicated') && at > (delivery.last?.at ?? Number.NEGATIVE_INFINITY)) delivery.last = { at, line };
    if (status >= 200 && status < 300) {
      if (delivery.taken) this.#counts.duplicates += 1;
      if (at < (delivery.taken?.at ?? Number.POSITIVE_INFINITY)) delivery.taken = { at, line };
    }
    this.#compare(event, { id, endpoint: endpoint.name, digest: receipt.digest, line });
  }

  #record({ event, endpoint, state, at, reason }: Recorded, line: number): void {
    deliveryOf(this.#event(event), this.#endpoint(endpoint)).recorded = { state, at, reason, line };
  }

  /** All digests of an event must be the same. */
  #compare(event: Event, one: { id: string; endpoint: string | null; digest: string | undefined; line: number }): void {
    const { id, endpoint, digest, line } = one;
    if (digest === undefined) return;
    event.digest ??= { text: digest, line };
    if (event.digest.text === digest) return;
    const text = `Its digest is ${digest}, and it was ${event.digest.text} before.`;
    this.#findings.add({ rule: 'altered', event: id, endpoint, text, lines: [event.digest.line, line] });
  }

  #judge(id: string, { acknowledged, isListed, deliveries }: Event): void {
    for (const { endpoint, ...delivery } of deliveries) {
      const { isOwed, taken, recorded } = delivery;
      if (isOwed) {
        this.#counts.owed += 1;
        if (taken) this.#counts.taken += 1;
        else if (recorded?.state === 'pending') this.#counts.pending += 1;
        else if (recorded?.reason !== undefined) this.#counts.given_up += 1;
      }
      const context = { acknowledged, isListed, declared: endpoint.declared, skewMs: this.#skewMs, lastAt: this.#lastAt };
      for (const broken of brokenBy(delivery, context)) this.#findings.add({ ...broken, event: id, endpoint: endpoint.name });
    }
  }

  #endpoint(name: string): Endpoint {
    const known = this.#endpoints.get(name) ?? { name, declared: [], receipts: [] };
    this.#endpoints.set(name, known);
    return known;
  }

  #event(id: string): Event {
    const known = this.#events.get(id) ?? { isListed: false, deliveries: [] };
    this.#events.set(id, known);
    return known;
  }
}

function deliveryOf({ deliveries }: Event, endpoint: Endpoint): Delivery {
  const known = deliveries.find((one) => one.endpoint === endpoint);
  if (known) return known;
  const added = { endpoint, isOwed: false };
  deliveries.push(added);
  return added;
}

/**
 * Refuses a request without the fields that a declared limit needs. Otherwise the limit would not be checked, and nobody would
 * notice.
 */
function refuseIncomplete({ at, ended, sequence }: Received, { name, declared, receipts }: Endpoint): void {
  const period = declared.findLast((one) => covers(one, at));
  if (period?.max_in_flight !== undefined && ended === undefined)
    throw new CouldNotRun(`ended is missing, and ${name} is declared with max_in_flight.`);
  if (!period?.ordered) return;
  if (sequence === undefined) throw new CouldNotRun(`sequence is missing, and ${name} is declared as ordered.`);
  const other = receipts.at(-1)?.sequence;
  if (other !== undefined && typeof other !== typeof sequence)
    throw new CouldNotRun(`sequence is a ${typeof sequence}, but an earlier one is a ${typeof other}. These cannot be compared.`);
}
