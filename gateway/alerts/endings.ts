import { causesEn } from '../base/causes/en.ts';
import { causeText, countWaiting, englishSpeech, hostOf, lastingCause, noValues } from '../figures/cause.ts';
import type { Rows } from '../store/port.ts';
import type { AlertCase, AlertEnding, AlertValues, PartnerAlertName } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { nameOf, span } from './cases.ts';
import type { RuleInForce } from './rules.ts';

const minuteMs = 60_000;

type Alert = Row<'alerts'>;
type OperatorsCase = Exclude<AlertCase, PartnerAlertName>;

/** Returns what ended an alert. Reads its endpoint, if it is about one, and what waits for it. */
export async function endingOf(rows: Rows, { enabled }: RuleInForce, alert: Alert): Promise<AlertEnding> {
  const { subject, rule, detail } = alert;
  if (!enabled) return { case: 'rule_off' };
  if (!('endpoint' in detail.values)) return { case: 'cleared' };
  const endpoint = await rows.get('endpoints', { id: subject });
  const isGone = !endpoint || endpoint.deleted_at !== null;
  if (isGone || (!endpoint.active && rule !== 'dead_letters')) {
    const deleted = { case: 'deleted', values: { ...noValues, host: endpoint ? hostOf(endpoint.url) : '' } } as const;
    const cause = endpoint && lastingCause(endpoint);
    return { case: 'stopped', cause: isGone || !cause ? deleted : cause };
  }
  if (rule === 'dead_letters') return { case: 'cleared' };
  if (endpoint.failing_since !== null || !(await hasAnswered(rows, alert))) return { case: 'cleared' };
  return { case: 'answers', waiting: await countWaiting(rows, subject) };
}

/**
 * True if an attempt succeeded. The endpoint's row does not show this, because an activation clears the failures too. Tallies
 * cover whole minutes. In the minute in which the alert of a held endpoint opened, nothing had succeeded, so that minute is
 * included. For other alerts, an attempt may have succeeded earlier in that minute.
 */
async function hasAnswered(rows: Rows, { subject, opened_at, detail }: Alert): Promise<boolean> {
  const at = { gt: detail.case === 'endpoint_held' ? opened_at - minuteMs : opened_at };
  return (await rows.count('tallies', { kind: 'attempt', width: minuteMs, subject, name: 'success', at }, { atMost: 1 })) > 0;
}

const activated = (of: AlertValues['endpoint_gone']) => `${nameOf(of)} is active again, and its deliveries are tried.`;

/** The sentence for an alert whose rule no longer finds its case. */
const cleared: { [C in OperatorsCase]: (values: AlertValues[C]) => string } = {
  endpoint_failing: (of) => `${nameOf(of)} fails less often than the rule allows.`,
  endpoint_held: activated,
  endpoint_gone: activated,
  endpoint_disabled: activated,
  dead_letters: (of) => `${nameOf(of)} has no dead letter left: all were sent again, skipped by hand, or deleted by retention.`,
  limit_refusals: ({ caller, name, ...of }) =>
    `${name === '' ? caller : `“${name}” (${caller})`}: fewer calls than the rule’s threshold were refused with 429 in ${span(of)}.`,
  ledger_unbalanced: () => 'The ledger balances again: fewer rows are missing, or too many, than the rule’s threshold.',
  calls_not_recorded: (of) => `Fewer calls than the rule’s threshold were not recorded in ${span(of)}.`,
  disk_space: () => 'The disk with the database has enough space again.',
  proxy_failing: () => 'Webhooks get through the proxy again.',
  deliveries_late: () => 'First attempts begin in time again.',
  queue_down: () => 'The queue answers again.',
  store_down: () => 'The store answers again.',
};

/** The text about an alert that is over. Without its ending, its first message. */
export function endingText({ detail, message }: Pick<Alert, 'detail' | 'message'>): string {
  if (!detail.ending) return message;
  const { ending, values } = detail;
  const name = 'endpoint' in values ? nameOf(values) : '';
  const id = 'endpoint' in values ? ` (${values.endpoint})` : '';
  switch (ending.case) {
    case 'rule_off':
      return `The rule was switched off. ${message}`;
    case 'stopped':
      return `${causeText(ending.cause, name)}${id}`;
    case 'answers':
      return `${name} answers again.${waitingText(ending.waiting)}${id}`;
    case 'cleared':
      return `${(cleared[detail.case as OperatorsCase] as (values: unknown) => string)(values)}${id}`;
  }
}

const waitingText = (count: number): string => (count === 0 ? '' : ` ${causesEn.waiting(count, englishSpeech.count(count))}.`);
