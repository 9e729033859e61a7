import type { Row } from '../../gateway/store/tables/index.ts';
import { Transitions } from './transitions.ts';
import { wordsOf } from './vocabulary.ts';
import type { World } from './world.ts';

type Endpoint = Row<'endpoints'>;
type Event = Row<'events'>;

/** An endpoint's row, and when it was committed. */
export interface Version {
  fromMs: number;
  row: Endpoint;
}

/** A statement that changes rows. */
export interface Committed<R = unknown> {
  name: string;
  args: readonly unknown[];
  result: R;
}

/** Which endpoints an event is for, by the rules of docs/webhooks.md and not by the gateway's code. */
const isAddressed = ({ service, events, perimeter, visible, deleted_at, disabled_reason }: Endpoint, event: Event): boolean =>
  deleted_at === null &&
  disabled_reason !== 'unverified' &&
  service === event.service &&
  (events === null || events.includes(event.type)) &&
  (perimeter === null || (event.subject !== null && perimeter.includes(event.subject))) &&
  maySee(visible, event.subject);

/** The simulated filters all have this form. */
const meets = (filter: string | null, body: string): boolean =>
  filter === null || JSON.parse(body).data.number >= JSON.parse(filter).data.number.$gte;

/** Whether the owner of an endpoint may see an event about this subject. */
export function maySee(visible: Endpoint['visible'], subject: string | null): boolean {
  if (visible === null) return true;
  if (subject === null) return visible.unscoped;
  return visible.subjects === null || visible.subjects.includes(subject);
}

const idsOf = (endpoints: readonly Endpoint[]): string[] => endpoints.map(({ id }) => id);

const changesRows: ReadonlySet<string> = new Set(['insert', 'append', 'update', 'revise', 'advance']);

/** Sees each statement that the store commits, at the moment of the commit, and keeps what the gateways may forget. */
export class Oracle {
  readonly #world: World;
  readonly transitions: Transitions;
  readonly events = new Map<string, Event>();
  /** By event, the endpoints that must have a delivery of it. Without an entry, the event waits for its fan-out. */
  readonly expected = new Map<string, ReadonlySet<string>>();
  /** By event, how many endpoints it did not reach only because of their filter. */
  readonly filtered = new Map<string, number>();
  readonly deliveries = new Set<string>();
  /** By delivery. */
  readonly attempts = new Map<string, number>();
  readonly versions = new Map<string, Version[]>();
  /** By event, the ordered endpoints that wanted it when it was stored. */
  readonly #inOrder = new Map<string, readonly string[]>();
  readonly #endpointOfUrl = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
    this.transitions = new Transitions(world);
  }

  /** The endpoint that has, or had, this URL. */
  endpointAt(url: string): string {
    return this.#endpointOfUrl.get(url) ?? 'no endpoint';
  }

  /** The versions of an endpoint that were in force at some time from `fromMs` to `toMs`. */
  versionsIn(endpointId: string, fromMs: number, toMs: number): Endpoint[] {
    const all = this.versions.get(endpointId) ?? [];
    return all
      .filter((one, at) => one.fromMs <= toMs && (all[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= fromMs)
      .map(({ row }) => row);
  }

  see(statements: readonly Committed[]): void {
    this.transitions.see(statements);
    for (const { name, args, result } of statements) {
      if (!changesRows.has(name)) continue;
      for (const word of wordsOf({ name, args })) this.#world.count(word);
      const [table, given, along] = args as [string, never, { table: string; rows: never[] } | undefined];
      if (table === 'endpoints') this.#endpointsAre(name === 'update' ? (result as Endpoint[]) : given);
      else if (name === 'advance') this.#attemptsAre(along?.rows ?? [], new Set(result as string[]));
      else if (name !== 'update' && (name !== 'revise' || table === 'events'))
        for (const part of [{ table, rows: given }, along])
          if (part?.table) this.#rowsAre(part, name === 'insert' ? result : null);
    }
  }

  #endpointsAre(rows: readonly Endpoint[]): void {
    for (const row of rows) {
      const before = this.versions.get(row.id) ?? [];
      this.versions.set(row.id, [...before, { fromMs: this.#world.nowMs, row }]);
      this.#endpointOfUrl.set(row.url, row.id);
    }
  }

  #rowsAre({ table, rows }: { table: string; rows: readonly never[] }, inserted: unknown): void {
    if (table === 'events') for (const row of rows as readonly Event[]) this.#eventIs(row);
    if (table === 'attempts') this.#attemptsAre(rows);
    if (table !== 'deliveries') return;
    const stored = inserted as { id: string }[] | null;
    for (const { id, event_id, endpoint_id, test } of rows as readonly Row<'deliveries'>[]) {
      if (stored && !stored.some((one) => one.id === id)) continue;
      this.deliveries.add(id);
      if (!test) continue;
      this.expected.set(event_id, new Set([endpoint_id]));
      this.filtered.set(event_id, 0);
    }
  }

  /** What an event matches is decided when it is fanned out, and for ordered endpoints when it is stored. */
  #eventIs(row: Partial<Event> & { id: string }): void {
    const isNew = !this.events.has(row.id);
    const event = { ...this.events.get(row.id), ...row } as Event;
    this.events.set(event.id, event);
    if (this.expected.has(event.id)) return;
    const now = [...this.versions.values()].map((all) => all.at(-1)?.row).filter((one) => one !== undefined);
    const addressed = now.filter((endpoint) => isAddressed(endpoint, event));
    const wanting = addressed.filter(({ filter }) => meets(filter, event.body));
    if (isNew) this.#inOrder.set(event.id, idsOf(wanting.filter(({ ordered }) => ordered)));
    if (event.fanned_out_at === null) return;
    this.expected.set(event.id, new Set([...(this.#inOrder.get(event.id) ?? []), ...idsOf(wanting)]));
    this.filtered.set(event.id, addressed.length - wanting.length);
  }

  #attemptsAre(rows: readonly Row<'attempts'>[], moved?: ReadonlySet<string>): void {
    for (const { delivery_id } of rows)
      if (!moved || moved.has(delivery_id)) this.attempts.set(delivery_id, (this.attempts.get(delivery_id) ?? 0) + 1);
  }
}
