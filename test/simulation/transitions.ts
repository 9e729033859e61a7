import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../gateway/store/tables/index.ts';
import { asksForOneMore, isUrgent, singleAttemptReasons } from '../../gateway/webhooks/model/jobs.ts';
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

/** The model's transitions, by how they change a row. Removal is not one: nothing is removed during a run. */
const modelled = new Map<string, string[]>();
for (const line of readFileSync(join(import.meta.dirname, '../model/transitions.txt'), 'utf8')
  .trim()
  .split('\n')) {
  const [, name = '', how, changes = ''] = /^(\w+) (\w+): (.*)$/.exec(line) ?? [];
  for (const one of changes.split('; '))
    modelled.set(`${one}, ${how}`, [...(modelled.get(`${one}, ${how}`) ?? []), `transition ${name}`]);
}
export const modelTransitions: readonly string[] = [...new Set([...modelled.values()].flat())];

/** An attempt of a delivery that was in its lane until then. */
export const takenFromLane = 'attempt out of a lane';

/** A row, as the model has it. */
function stateOf(row: Delivery | undefined): string {
  if (!row) return 'absent';
  const once = isUrgent(row) ? 'once' : 'recovered';
  const asked = singleAttemptReasons.has(row.reason) ? once : 'asked';
  return [row.status, ...(row.parked ? ['parked'] : []), ...(asksForOneMore(row) ? [asked] : [])].join(' ');
}

/** A transition, as the model has it. */
function changeOf({ before, after }: Transition): string {
  const change = `${stateOf(before)} -> ${stateOf(after)}`;
  if (!before || after.attempts === before.attempts) {
    // What ends in the millisecond in which it was created is updated too.
    const isMoved = before?.status === after.status && before.updated_at === after.updated_at;
    return `${change}, ${isMoved ? 'moved' : 'updated'}`;
  }
  const isBeside = stateOf(before) === stateOf(after) && before.next_attempt_at === after.next_attempt_at;
  return `${change}, ${isBeside ? 'beside' : 'attempt'}`;
}

/** Notes how the rows of deliveries change. */
export class Transitions {
  readonly all: Transition[] = [];
  readonly #world: World;
  readonly #known = new Map<string, Delivery>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Those that the model does not have. */
  unknown(): string[] {
    const unknown = this.all.filter((one) => !modelled.has(changeOf(one)));
    return unknown.map((one) => `${textOf(one.after)}: ${changeOf(one)}`);
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
      const transition = { atMs: this.#world.nowMs, before: this.#known.get(id), after };
      this.all.push(transition);
      const [name, ...others] = modelled.get(changeOf(transition)) ?? [];
      if (name && others.length === 0) this.#world.count(name);
      if (transition.before?.parked && after.attempts > transition.before.attempts) this.#world.count(takenFromLane);
      this.#known.set(id, after);
    }
  }
}
