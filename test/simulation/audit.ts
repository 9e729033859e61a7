import pino from 'pino';
import { allDifferences, type LedgerDifferences } from '../../gateway/figures/ledger.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { Auditor } from '../../gateway/webhooks/upkeep/audit.ts';
import { Random } from './random.ts';
import type { Servers } from './servers.ts';

/** More than the audit needs to walk through a run's hours twice. */
const rounds = 5;

/** Compares what the audit reports with what the oracle knows. With `steal`, some rows are removed first, of which both must know. */
export async function wrongAudit(servers: Servers, { steal }: { steal: number | undefined }): Promise<string[]> {
  const { rows, world } = servers;
  const stolen = steal === undefined ? [] : await stealSome(servers, new Random(steal));
  const auditor = new Auditor({
    store: rows,
    clock: { now: () => world.nowMs, after: (delayMs, task) => world.after(delayMs, task) },
    log: pino({ level: 'silent' }),
  });
  for (let round = 0; round < rounds; round++) await auditor.round();
  const [reported, known] = [JSON.stringify(auditor.differences), JSON.stringify(await differences(servers))];
  return reported === known ? [] : [`Stolen: ${stolen.join() || 'nothing'}. The audit reports ${reported}, and it is ${known}`];
}

async function stealSome({ rows, world }: Servers, random: Random): Promise<string[]> {
  const stolen: string[] = [];
  for (const [table, column] of [
    ['events', 'id'],
    ['deliveries', 'id'],
    ['attempts', 'id'],
  ] as const) {
    const all = await rows.list(table, { order: [[column, 'asc']] });
    if (all.length === 0 || random.chance(0.5)) continue;
    const { id } = random.pick(all);
    await rows.remove(table, { id });
    world.note(`row of ${table} stolen`, id);
    stolen.push(id);
  }
  return stolen;
}

/** How far the stored rows are from what the oracle saw. Nothing counts the events here, so a missing one shows in its deliveries. */
async function differences({ rows, oracle }: Servers): Promise<LedgerDifferences> {
  const found = allDifferences(0);
  const compare = (table: 'deliveries' | 'attempts', expected: number, stored: number) => {
    found.missing[table] += Math.max(0, expected - stored);
    found.surplus[table] += Math.max(0, stored - expected);
  };
  const events = new Set((await rows.list('events')).map(({ id }) => id));
  const deliveries = await rows.list('deliveries');
  const byEvent = Map.groupBy(deliveries, (one) => one.event_id);
  const byDelivery = Map.groupBy(await rows.list('attempts'), (one: Row<'attempts'>) => one.delivery_id);
  for (const [id, endpoints] of oracle.expected)
    compare('deliveries', events.has(id) ? endpoints.size : 0, byEvent.get(id)?.length ?? 0);
  const kept = new Set(deliveries.map(({ id }) => id));
  for (const id of oracle.deliveries)
    compare('attempts', kept.has(id) ? (oracle.attempts.get(id) ?? 0) : 0, byDelivery.get(id)?.length ?? 0);
  return found;
}
