import { callersOf } from '../figures/callers.ts';
import type { LedgerDifferences } from '../figures/ledger.ts';
import { everyone } from '../figures/tally.ts';
import type { Rows, Where } from '../store/port.ts';
import type { AlertRuleName } from '../store/tables/alerts.ts';
import type { TallyKind } from '../store/tables/figures.ts';
import type { Row } from '../store/tables/index.ts';
import { cut, oneLine } from './texts.ts';

/** What this process knows without the store. */
export interface AlertSources {
  /** Throws if the queue does not answer. */
  depth(): Promise<unknown>;
  ledger(): LedgerDifferences;
  /** Free bytes on the disk with the data. Without it, the rule is not checked. */
  freeBytes?: (() => Promise<number>) | undefined;
}

/** A subject that a rule finds in trouble. */
export interface Finding {
  /** An endpoint's or caller's id, or `*`. */
  subject: string;
  message: string;
  /** The console's page that shows the cause. */
  page: string;
}

export interface MeasureInput {
  rows: Rows;
  sources: AlertSources;
  threshold: number;
  periodMs: number;
  now: number;
  /** The subjects of the rule's open alerts. */
  open: readonly string[];
}

/** Returns what is in trouble now; null if this process cannot tell. */
type Measure = (input: MeasureInput) => Promise<Finding[] | null>;

/** Rules that open once their findings have lasted for the period. The others look back over it. */
export const lasting: ReadonlySet<AlertRuleName> = new Set([
  'ledger_unbalanced',
  'disk_space',
  'queue_down',
  'store_down',
] satisfies AlertRuleName[]);

const minuteMs = 60_000;
const minAttempts = 3;
/** The subjects of one rule that are looked at, the worst first. */
export const maxSubjects = 500;
const megabyte = 1024 * 1024;

/** How each rule looks at the gateway. Tallies are read, never rows of calls or attempts. `store_down` has no measure. */
export const measures: Record<Exclude<AlertRuleName, 'store_down'>, Measure> = {
  async endpoint_failing(input) {
    const { rows, threshold, open } = input;
    const failed = await totals(input, 'attempt', { name: { not: 'success' }, subject: { not: everyone } });
    const attempts = await totals(input, 'attempt', { subject: { in: [...failed.keys()] } });
    const rates = [...failed].map(([id, count]) => ({ id, count, of: attempts.get(id) ?? count }));
    const failing = rates.filter((one) => one.of >= minAttempts && (one.count * 100) / one.of >= threshold);
    const endpoints = await endpointsOf(rows, [...failing.map(({ id }) => id), ...open]);
    // While nothing succeeds, few attempts are made: fewer failures do not mean that it is over.
    const still = open.filter((id) => endpoints.get(id)?.failing_since != null && !failing.some((one) => one.id === id));
    return [...failing, ...still.map((id) => ({ id, count: failed.get(id) ?? 0, of: attempts.get(id) ?? 0 }))].flatMap((one) => {
      const endpoint = endpoints.get(one.id);
      if (!endpoint?.active) return [];
      const share = `${one.count} of ${one.of} attempts in ${span(input)} failed`;
      return [aboutEndpoint(endpoint, `${share}.`)];
    });
  },

  async endpoint_held({ rows, periodMs, now }) {
    const troubled: Where<'endpoints'>[] = [
      { active: true, held_until: { not: null }, failing_since: { lte: now - periodMs } },
      { active: false, disabled_reason: { in: ['gone', 'failing'] } },
    ];
    const found = await Promise.all(
      troubled.map((where) => rows.list('endpoints', { where: { ...where, deleted_at: null }, limit: maxSubjects })),
    );
    return found.flat().map((endpoint) => aboutEndpoint(endpoint, heldBecause(endpoint)));
  },

  async dead_letters(input) {
    const failed = await totals(input, 'delivery', { name: 'failed', subject: { not: everyone } });
    const many = [...failed].filter(([, count]) => count >= input.threshold);
    const endpoints = await endpointsOf(
      input.rows,
      many.map(([id]) => id),
    );
    return many.flatMap(([id, count]) => {
      const endpoint = endpoints.get(id);
      if (!endpoint) return [];
      const text = `${counted(count, 'delivery', 'deliveries')} failed for good in ${span(input)}. Send them again when its receiver works.`;
      return [{ ...aboutEndpoint(endpoint, text), page: `/deliveries?endpoint_id=${id}&status=failed` }];
    });
  },

  async limit_refusals(input) {
    const refused = await totals(input, 'limit', { refused: { gt: 0 } }, 'refused');
    const many = [...refused].filter(([, count]) => count >= input.threshold);
    const callers = await callersOf(
      input.rows,
      many.map(([caller]) => caller),
    );
    return many.map(([caller, count]) => {
      const name = callers.get(caller)?.name;
      return {
        subject: caller,
        message: `${name === undefined ? caller : `${quoted(name)} (${caller})`}: ${counted(count, 'call', 'calls')} refused with 429 in ${span(input)}.`,
        page: `/calls?caller=${encodeURIComponent(caller)}&status=429`,
      };
    });
  },

  async ledger_unbalanced({ sources, threshold }) {
    const { missing, surplus } = sources.ledger();
    const missed = sum(missing);
    const extra = sum(surplus);
    // Not a number while the audit cannot read the store.
    if (Number.isNaN(missed + extra)) return null;
    const message = `The ledger does not balance: ${counted(missed, 'row is', 'rows are')} missing, ${extra} too many.`;
    return missed + extra >= threshold ? [whole(message, '/')] : [];
  },

  async calls_not_recorded(input) {
    const lost = (await totals(input, 'record', { subject: everyone, name: 'lost' })).get(everyone) ?? 0;
    const message = `${counted(lost, 'call was', 'calls were')} served but not recorded in ${span(input)}.`;
    return lost >= input.threshold ? [whole(message, '/calls')] : [];
  },

  async disk_space({ sources, threshold }) {
    if (!sources.freeBytes) return null;
    const free = (await sources.freeBytes()) / megabyte;
    const message = `The disk with the database has ${Math.floor(free)} MB left. Writes are refused when 32 MB are left.`;
    return free < threshold ? [whole(message, '/')] : [];
  },

  async queue_down({ sources }) {
    const isUp = await sources.depth().then(
      () => true,
      () => false,
    );
    return isUp ? [] : [whole('The queue does not answer. Calls are served; deliveries wait in the store.', '/')];
  },
};

export const storeDown: Finding = {
  subject: everyone,
  message: 'The store does not answer, or refuses writes. Calls get 503.',
  page: '/',
};

const whole = (message: string, page: string): Finding => ({ subject: everyone, message, page });

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((total, count) => total + count, 0);

/** Adds up tallies of the period by subject, the largest first. Reads whole minutes, the first of which may have begun before. */
async function totals(
  { rows, periodMs, now }: MeasureInput,
  kind: TallyKind,
  where: Where<'tallies'>,
  column: 'total' | 'refused' = 'total',
): Promise<Map<string, number>> {
  const from = Math.floor((now - periodMs) / minuteMs) * minuteMs;
  const found = await rows.summarize('tallies', {
    where: { kind, width: minuteMs, at: { gte: from }, ...where },
    by: ['subject'],
    sum: [column],
  });
  const sums = found.map((row): [string, number] => [row.subject, Number(row[column])]);
  return new Map(sums.sort(([, one], [, other]) => other - one).slice(0, maxSubjects));
}

async function endpointsOf(rows: Rows, ids: readonly string[]): Promise<Map<string, Row<'endpoints'>>> {
  if (ids.length === 0) return new Map();
  const found = await rows.list('endpoints', { where: { id: { in: [...new Set(ids)] }, deleted_at: null } });
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
}

/** Names the endpoint by its host alone: the rest of a URL may hold a secret. */
function aboutEndpoint({ id, url, description }: Row<'endpoints'>, text: string): Finding {
  const host = URL.parse(url)?.host ?? '';
  const name = description.trim() === '' ? host : `${quoted(description)} at ${host}`;
  return { subject: id, message: `${name}: ${text} (${id})`, page: `/endpoints/${id}` };
}

function heldBecause({ active, disabled_reason, holds }: Row<'endpoints'>): string {
  if (active)
    return `Deliveries wait since it failed; its circuit opened ${counted(holds, 'time', 'times')} in a row. None is lost.`;
  const why = disabled_reason === 'gone' ? 'Its receiver answered 410 Gone' : 'It only failed for days';
  return `${why}, so the gateway disabled it. Deliveries are skipped until it is activated.`;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const span = ({ periodMs }: MeasureInput): string => `the last ${periodMs / minuteMs} min`;
const quoted = (name: string): string => `“${cut(oneLine(name), 80)}”`;
