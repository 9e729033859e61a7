import type { Row } from '../../gateway/store/tables/index.ts';
import type { Committed } from './oracle.ts';
import type { World } from './world.ts';

type Delivery = Row<'deliveries'>;

/** A change of a delivery's row, at the time of its commit. */
export interface Transition {
  atMs: number;
  /** Undefined for a new row. */
  before: Delivery | undefined;
  after: Delivery;
}

type Part = Partial<Delivery> & { id: string };
interface Move {
  id: string;
  next: Partial<Delivery>;
}

/** What each statement writes to deliveries. */
const written: Readonly<Record<string, (rows: unknown, result: unknown) => Part[]>> = {
  insert: (rows, result) => partsOf(rows).filter(({ id }) => partsOf(result).some((stored) => stored.id === id)),
  append: partsOf,
  update: (_, result) => partsOf(result),
  revise: partsOf,
  advance: (moves, result) =>
    (moves as Move[]).filter(({ id }) => (result as string[]).includes(id)).map(({ id, next }) => ({ ...next, id })),
};

function partsOf(rows: unknown): Part[] {
  return rows as Part[];
}

function textOf({ id, event_id, endpoint_id, status, reason, attempts, parked, next_attempt_at }: Delivery): string {
  const next = next_attempt_at === null ? '' : `, next at ${(next_attempt_at / 1000).toFixed(3)}${parked ? ', parked' : ''}`;
  return `${id} of ${event_id} at ${endpoint_id} is ${status} (${reason ?? 'no reason'}) after ${attempts} attempts${next}`;
}

/** Notes how the rows of deliveries change. */
export class Transitions {
  readonly all: Transition[] = [];
  readonly #world: World;
  readonly #known = new Map<string, Delivery>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes the statements of a commit. What several of them do to a delivery is one change. */
  see(statements: readonly Committed[]): void {
    const changed = new Map<string, Delivery>();
    const write = (name: string, table: unknown, rows: unknown, result: unknown) => {
      if (table !== 'deliveries') return;
      for (const part of written[name]?.(rows, result) ?? [])
        changed.set(part.id, { ...(changed.get(part.id) ?? this.#known.get(part.id)), ...part } as Delivery);
    };
    for (const { name, args, result } of statements) {
      write(name, args[0], args[1], result);
      const along = args[2] as { table: string; rows: unknown } | undefined;
      if (name === 'append') write(name, along?.table, along?.rows, result);
    }
    for (const [id, after] of changed) {
      this.#world.note('delivery', textOf(after));
      this.all.push({ atMs: this.#world.nowMs, before: this.#known.get(id), after });
      this.#known.set(id, after);
    }
  }
}
