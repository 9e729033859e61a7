import { illegalMove, invalid, notFound, Refusal } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Found, idsIn, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import {
  type Owner,
  type RecoveryFilter,
  type RecoveryResult,
  type RecoveryStatus,
  recoveryRefusals,
} from '../../store/tables/webhooks.ts';
import type { Change } from '../outbox/change.ts';
import { withEventText } from './queries.ts';

export type Recovery = Row<'recoveries'>;

export const itemResults = ['pending', 'delivered', 'failed', 'refused'] as const;
export type ItemResult = (typeof itemResults)[number];

const storedResults: Record<ItemResult, readonly RecoveryResult[]> = {
  pending: ['queued'],
  delivered: ['delivered'],
  failed: ['failed'],
  refused: recoveryRefusals,
};

export const resultOf = ({ result }: Pick<Row<'recovery_items'>, 'result'>): ItemResult =>
  itemResults.find((one) => storedResults[one].includes(result)) ?? 'refused';

/** The most deliveries in which a recovery looks for text, and how many it reads at once. */
export const textReach = 20_000;
const textBlock = 1000;

export interface Preview {
  matching: number;
  /** The endpoint with the most deliveries first. */
  by_endpoint: { endpoint_id: string; count: number }[];
  /** The number of them that belong to a disabled or deleted endpoint. */
  not_possible: number;
}

/** Counts what a recovery would send now. Stores nothing. Throws `invalid` like `createRecovery`. */
export async function previewRecovery(rows: Rows, filter: RecoveryFilter, now: number): Promise<Preview> {
  await check(rows, filter);
  const groups = await countByEndpoint(rows, filter, now);
  const ids = groups.map(({ endpoint_id }) => endpoint_id);
  const endpoints = await rows.list('endpoints', { where: { id: { in: ids }, active: true, deleted_at: null } });
  const active = new Set(endpoints.map(({ id }) => id));
  return {
    matching: sum(groups),
    by_endpoint: groups.sort((a, b) => b.count - a.count),
    not_possible: sum(groups.filter(({ endpoint_id }) => !active.has(endpoint_id))),
  };
}

interface EndpointCount {
  endpoint_id: string;
  count: number;
}

const sum = (counts: readonly EndpointCount[]) => counts.reduce((total, { count }) => total + count, 0);

async function countByEndpoint(rows: Rows, filter: RecoveryFilter, now: number): Promise<EndpointCount[]> {
  const where = deliveriesOf(filter, now);
  if (filter.q === undefined) {
    const groups = await rows.summarize('deliveries', { where, by: ['endpoint_id'] });
    return groups.map(({ endpoint_id, count }) => ({ endpoint_id, count }));
  }
  const counts = new Map<string, number>();
  let read = 0;
  for await (const { block, found } of blocksWithText(rows, where, textOf(filter))) {
    read += block.length;
    if (read > textReach)
      throw invalid(
        'q',
        'too_wide',
        `More than ${textReach} deliveries match the other filters, and a recovery looks for text in no more. Shorten the period, or add a filter.`,
      );
    for (const { endpoint_id } of found) counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1);
  }
  return [...counts].map(([endpoint_id, count]) => ({ endpoint_id, count }));
}

const textOf = ({ q = '', owner }: RecoveryFilter) => ({ q, byOwner: owner !== undefined });

/** Reads the deliveries in the order of their ids, and returns for each block those whose event has the text. */
async function* blocksWithText(rows: Rows, where: Where<'deliveries'>, text: { q: string; byOwner: boolean }) {
  for (let range = where.id as object; ; ) {
    const block = await rows.list('deliveries', { where: { ...where, id: range }, order: [['id', 'asc']], limit: textBlock });
    yield { block, found: await withEventText(rows, block, text) };
    if (block.length < textBlock) return;
    range = { ...range, gt: block.at(-1)?.id };
  }
}

export interface Batch {
  deliveries: Row<'deliveries'>[];
  /** The id up to which deliveries were read; null if there were none. */
  position: string | null;
  /** True if no delivery is left. */
  isLast: boolean;
}

/** Returns the next deliveries of a recovery, one second's at most. They are locked. */
export async function nextBatch(tx: Rows, recovery: Recovery): Promise<Batch> {
  const { pace, position, filter } = recovery;
  const where = deliveriesLeft(recovery);
  const order = [['id', 'asc']] as const;
  if (filter.q === undefined) {
    const deliveries = await tx.list('deliveries', { where, order, limit: pace, lock: true });
    return { deliveries, position: deliveries.at(-1)?.id ?? position, isLast: deliveries.length < pace };
  }
  // A second's step reads one block, so that it stays short if few deliveries have the text.
  const { value } = await blocksWithText(tx, where, textOf(filter)).next();
  const { block, found } = value ?? { block: [], found: [] };
  const taken = found.slice(0, pace);
  const isCut = taken.length < found.length;
  const deliveries = await tx.list('deliveries', {
    where: { ...where, id: { in: taken.map(({ id }) => id) } },
    order,
    lock: true,
  });
  return {
    deliveries,
    position: (isCut ? taken : block).at(-1)?.id ?? position,
    isLast: !isCut && block.length < textBlock,
  };
}

/**
 * Ends the holds of the endpoints whose pending deliveries a recovery sends: by starting it, the operator says that the receivers
 * are back. A single attempt tests each of them, as after any hold. Returns the endpoints.
 */
export async function endHolds(tx: Rows, { filter, created_at }: Recovery, now: number): Promise<string[]> {
  if (!filter.statuses.includes('pending')) return [];
  const counts = await countByEndpoint(tx, { ...filter, statuses: ['pending'] }, created_at);
  const ids = counts.map(({ endpoint_id }) => endpoint_id);
  await tx.update('endpoints', { id: { in: ids }, held_until: { gt: now } }, { held_until: now });
  return ids;
}

/**
 * An owner may have this many unfinished recoveries. There is a limit, because one process works on all recoveries, step by step.
 */
const maxUnfinished = 5;

/**
 * Starts a recovery of the deliveries that match now. Throws `invalid` if the filter is too wide or the endpoint is unknown, or a
 * conflict if the owner who asks for it has too many.
 */
export async function createRecovery(
  { tx, now, recover }: Change,
  { pace, ...filter }: RecoveryFilter & { pace: number },
  { byOwner = false } = {},
): Promise<Recovery> {
  await check(tx, filter);
  if (byOwner && filter.owner !== undefined) await refuseMany(tx, filter.owner);
  const row: Recovery = {
    id: newId('rcv'),
    status: 'running',
    filter,
    owner: filter.owner ?? null,
    pace,
    total: sum(await countByEndpoint(tx, filter, now)),
    done: 0,
    position: null,
    created_at: now,
    updated_at: now,
    ended_at: null,
  };
  await tx.append('recoveries', [row]);
  recover();
  return row;
}

async function refuseMany(rows: Rows, owner: Owner): Promise<void> {
  if ((await rows.count('recoveries', { status: { in: ['running', 'paused'] as const }, owner })) < maxUnfinished) return;
  const message = `${maxUnfinished} recoveries have not ended, and no more can begin. Wait for one, or cancel it.`;
  throw new Refusal('conflict', 'too_many_recoveries', message);
}

async function check(rows: Rows, { owner, endpoint_id, event_id, from, to }: RecoveryFilter): Promise<void> {
  if (owner === undefined && endpoint_id === undefined && event_id === undefined && from === undefined)
    throw invalid(
      'endpoint_id',
      'required',
      'Give an endpoint (endpoint_id), an event (event_id) or the start of a period (from). A recovery of everything is not allowed.',
    );
  if (from !== undefined && to !== undefined && from >= to)
    throw invalid(
      'to',
      'after_from',
      `The period ends at ${new Date(to).toISOString()}, which is not after its start. Give a later "to".`,
    );
  if (endpoint_id === undefined || (await rows.get('endpoints', { id: endpoint_id, owner }))) return;
  const hint = owner === undefined ? ' GET /manage/v1/endpoints lists all of them.' : '';
  throw invalid('endpoint_id', 'unknown', `There is no endpoint ${endpoint_id}.${hint}`);
}

/** The endpoints to which deliveries must belong; undefined if it may be any. */
const endpointsOf = ({ endpoint_id, owner }: Pick<RecoveryFilter, 'endpoint_id' | 'owner'>) =>
  endpoint_id ?? (owner && ({ of: { table: 'endpoints', column: 'id', where: { owner } } } as const));

/** Leaves out deliveries that changed after `createdAt`, so that one which fails again is not taken twice. */
function deliveriesOf(filter: RecoveryFilter, createdAt: number): Where<'deliveries'> {
  const { owner: ____, statuses, q: _, from: __, to: ___, ...columns } = filter;
  const [first, ...others] = statuses;
  return {
    ...columns,
    endpoint_id: endpointsOf(filter),
    // The index returns a single status in the order of ids, but not several statuses.
    status: others.length === 0 ? first : { in: statuses },
    updated_at: { lte: createdAt },
    // A test says that something happened which did not: it must not reach a receiver that works again.
    test: false,
    id: idsIn('dlv', filter),
  };
}

/** Returns the filter of the deliveries that a recovery has not read yet. */
function deliveriesLeft({ filter, created_at, position }: Recovery): Where<'deliveries'> {
  const where = deliveriesOf(filter, created_at);
  return position === null ? where : { ...where, id: { lt: (where.id as { lt?: string }).lt, gt: position } };
}

/** The statuses that a user can give a recovery, and those that it may have before. */
const before = { running: ['paused'], paused: ['running'], canceled: ['running', 'paused'] } as const;
type GivenStatus = keyof typeof before;
export const givenStatuses = Object.keys(before) as [GivenStatus, ...GivenStatus[]];

/** `owner`: recoveries of anybody else do not exist. */
interface Of {
  owner?: Owner | undefined;
}

interface RecoveryChange {
  status?: GivenStatus | undefined;
  /** In deliveries per second. */
  pace?: number | undefined;
}

/** Throws `not_found`, or a conflict that lists the legal changes. */
export async function updateRecovery(
  { tx, now, recover }: Change,
  id: string,
  { status, pace }: RecoveryChange,
): Promise<Recovery> {
  const recovery = await readRecovery(tx, id, { lock: true });
  const legal = givenStatuses.filter((one) => (before[one] as readonly string[]).includes(recovery.status));
  const possible: readonly string[] = before[status ?? 'canceled'];
  if (!possible.includes(recovery.status))
    throw illegalMove(
      `The recovery ${id} is ${recovery.status}. This is possible only while it is ${possible.join(' or ')}.`,
      legal.map((one) => `PATCH /manage/v1/recoveries/${id} {"status": "${one}"}`),
    );
  if (status === 'running') recover();
  const changes = {
    updated_at: now,
    ...(pace !== undefined && { pace }),
    ...(status !== undefined && { status, ended_at: status === 'canceled' ? now : null }),
  };
  return (await tx.update('recoveries', { id }, changes))[0] ?? recovery;
}

export async function readRecovery(rows: Rows, id: string, { owner, lock }: Of & { lock?: boolean } = {}): Promise<Recovery> {
  const recovery = await rows.get('recoveries', { id }, { lock: lock ?? false });
  if (owner !== undefined && recovery?.owner !== owner) throw notFound('id', `There is no recovery ${id}.`);
  if (!recovery) throw notFound('id', `There is no recovery ${id}. GET /manage/v1/recoveries lists all of them.`);
  return recovery;
}

export async function countResults(rows: Rows, id: string): Promise<Record<ItemResult, number>> {
  const counts = { pending: 0, delivered: 0, failed: 0, refused: 0 };
  for (const group of await rows.summarize('recovery_items', { where: { recovery_id: id }, by: ['result'] }))
    counts[resultOf(group)] += group.count;
  return counts;
}

interface PageInput {
  cursor?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listRecoveries(
  rows: Rows,
  { owner, status, cursor, limit }: PageInput & { owner?: Owner | undefined; status?: RecoveryStatus | undefined },
): Promise<Found<'recoveries'>> {
  const where = { owner, status };
  return search(rows, {
    table: 'recoveries',
    key: 'id',
    where,
    range: { lt: cursor },
    indexed: [owner === undefined ? { status } : { owner }],
    limit,
  });
}

export interface ItemStory {
  item: Row<'recovery_items'>;
  /** The delivery as it is now; undefined if retention has removed it. */
  delivery: Row<'deliveries'> | undefined;
}

/** Returns a recovery's items with their deliveries, newest delivery first. Throws `not_found`. */
export async function listItems(
  rows: Rows,
  id: string,
  { result, cursor, limit }: PageInput & { result?: ItemResult | undefined },
): Promise<Omit<Found<'recovery_items'>, 'data'> & { data: ItemStory[] }> {
  await readRecovery(rows, id);
  const found = await search(rows, {
    table: 'recovery_items',
    key: 'delivery_id',
    where: { recovery_id: id, result: result && { in: storedResults[result] } },
    range: { lt: cursor },
    indexed: [{ recovery_id: id }],
    limit,
  });
  const deliveries = await deliveriesOfItems(rows, found.data);
  return { ...found, data: found.data.map((item) => ({ item, delivery: deliveries.get(item.delivery_id) })) };
}

export async function deliveriesOfItems(
  rows: Rows,
  items: readonly Row<'recovery_items'>[],
): Promise<Map<string, Row<'deliveries'>>> {
  const ids = [...new Set(items.map(({ delivery_id }) => delivery_id))];
  const deliveries = await rows.list('deliveries', { where: { id: { in: ids } } });
  return new Map(deliveries.map((delivery) => [delivery.id, delivery]));
}
