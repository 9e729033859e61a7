import { invalid, notFound } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import type { Rows } from '../store/port.ts';
import { type AlertRuleName, type AlertSeverity, alertRuleNames } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';

interface Bounded {
  default: number;
  min: number;
  max: number;
}

interface AlertRule {
  title: string;
  /** When it opens. `{threshold}` and `{period}` stand for the two numbers. */
  opens: string;
  /** When it is over. */
  resolves: string;
  /** Null if the rule needs no number. */
  threshold: (Bounded & { unit: string }) | null;
  /** In minutes. */
  period: Bounded;
  severity: AlertSeverity;
}

const state: Bounded = { default: 1, min: 0, max: 1440 };
const span: Bounded = { default: 10, min: 1, max: 1440 };

/** What each rule looks for. `measures.ts` has how. */
export const alertRules = {
  endpoint_failing: {
    title: 'An endpoint fails',
    opens:
      'At least {threshold} % of three or more attempts at an endpoint within {period} min failed. Tests that failed do not count.',
    resolves: 'An attempt succeeds and the rate is lower; or the endpoint is inactive or deleted.',
    threshold: { default: 50, min: 1, max: 100, unit: '%' },
    period: span,
    severity: 'warning',
  },
  endpoint_held: {
    title: 'An endpoint gets nothing',
    opens: 'The circuit of an endpoint is open and nothing has succeeded for {period} min, or the gateway has disabled it.',
    resolves: 'An attempt succeeds, or the endpoint is activated, paused by an operator, or deleted.',
    threshold: null,
    period: state,
    severity: 'critical',
  },
  dead_letters: {
    title: 'Deliveries are dead letters',
    opens:
      '{threshold} or more deliveries to an endpoint failed for good within {period} min, or one that failed for good blocks those behind it.',
    resolves:
      'The endpoint has no dead letter left: all were sent again, skipped by hand, or deleted by retention; or it is deleted.',
    threshold: { default: 1, min: 1, max: 1_000_000, unit: 'deliveries' },
    period: { ...span, default: 60 },
    severity: 'warning',
  },
  limit_refusals: {
    title: 'A partner is refused by a limit',
    opens: '{threshold} or more calls of an account or token were refused with 429 within {period} min.',
    resolves: 'Fewer were within the last period.',
    threshold: { default: 50, min: 1, max: 1_000_000, unit: 'calls' },
    period: span,
    severity: 'info',
  },
  ledger_unbalanced: {
    title: 'The ledger does not balance',
    opens: '{threshold} or more events, deliveries or attempts have been missing, or too many, for {period} min.',
    resolves: 'The audit finds fewer.',
    threshold: { default: 1, min: 1, max: 1_000_000, unit: 'rows' },
    period: state,
    severity: 'critical',
  },
  calls_not_recorded: {
    title: 'Calls are not recorded',
    opens: '{threshold} or more calls were served but not recorded within {period} min.',
    resolves: 'Fewer were within the last period.',
    threshold: { default: 1, min: 1, max: 1_000_000, unit: 'calls' },
    period: span,
    severity: 'warning',
  },
  disk_space: {
    title: 'The disk is nearly full',
    opens: 'Less than {threshold} MB have been free on the disk of DATA_DIR for {period} min. Embedded tier only.',
    resolves: 'As much is free again.',
    threshold: { default: 1024, min: 64, max: 10_000_000, unit: 'MB' },
    period: state,
    severity: 'critical',
  },
  queue_down: {
    title: 'The queue does not answer',
    opens: 'The queue has not answered for {period} min: deliveries wait in the store.',
    resolves: 'It answers.',
    threshold: null,
    period: state,
    severity: 'critical',
  },
  store_down: {
    title: 'The store does not answer',
    opens: 'The store has not answered, or has refused writes, for {period} min: calls get 503.',
    resolves: 'It accepts writes.',
    threshold: null,
    period: state,
    severity: 'critical',
  },
} as const satisfies Record<AlertRuleName, AlertRule>;

export type RuleInForce = Omit<Row<'alert_rules'>, 'updated_at'> & { updated_at: number | null };

/** The minutes in which the same alert is not sent a second time. */
export const quiet: Bounded = { default: 30, min: 0, max: 10_080 };

export const ruleOf = (name: AlertRuleName): AlertRule => alertRules[name];

export function defaultsOf(name: AlertRuleName): RuleInForce {
  const { threshold, period, severity } = ruleOf(name);
  return {
    name,
    enabled: true,
    threshold: threshold?.default ?? null,
    period_minutes: period.default,
    quiet_minutes: quiet.default,
    severity,
    channels: null,
    updated_at: null,
  };
}

/** Returns every rule as it is in force, in the order of the table. */
export async function readRules(rows: Rows): Promise<RuleInForce[]> {
  const changed = new Map((await rows.list('alert_rules')).map((row) => [row.name, row]));
  return alertRuleNames.map((name) => changed.get(name) ?? defaultsOf(name));
}

/** Returns when the rule opens, with its numbers. */
export const conditionOf = ({ name, threshold, period_minutes }: RuleInForce): string =>
  ruleOf(name).opens.replace('{threshold}', String(threshold)).replace('{period}', String(period_minutes));

/** Throws `not_found` with the nearest name. */
export function namedRule(name: string): AlertRuleName {
  const found = alertRuleNames.find((one) => one === name);
  if (found) return found;
  throw notFound('name', `There is no rule ${JSON.stringify(name)}. Did you mean ${nearestOf(name, alertRuleNames)}?`);
}

export type RuleChange = Partial<
  Pick<RuleInForce, 'enabled' | 'threshold' | 'period_minutes' | 'quiet_minutes' | 'severity' | 'channels'>
>;

/** Sets a rule. Fields that are not given get their defaults. */
export async function changeRule(
  { tx, now }: { tx: Rows; now: number },
  name: AlertRuleName,
  change: RuleChange,
): Promise<RuleInForce> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const rule = { ...defaultsOf(name), ...given, updated_at: now };
  checkNumbers(rule);
  await checkChannels(tx, rule.channels);
  const [changed] = await tx.update('alert_rules', { name }, rule);
  if (!changed) await tx.insert('alert_rules', [rule], { onConflict: 'ignore' });
  return rule;
}

function checkNumbers({ name, threshold, period_minutes }: RuleInForce): void {
  const bounds = ruleOf(name);
  if (bounds.threshold === null && threshold !== null)
    throw invalid('threshold', 'no_threshold', `The rule ${name} has no threshold. Leave it out, or send null.`);
  if (bounds.threshold !== null) checkBounds('threshold', threshold, bounds.threshold);
  checkBounds('period_minutes', period_minutes, bounds.period);
}

function checkBounds(field: string, value: number | null, { min, max }: Bounded): void {
  if (value === null || value < min || value > max)
    throw invalid(field, 'out_of_bounds', `\`${field}\` must be between ${min} and ${max}, got ${value}.`);
}

async function checkChannels(tx: Rows, channels: readonly string[] | null): Promise<void> {
  if (channels === null) return;
  const known = new Set((await tx.list('alert_channels', { where: { id: { in: channels } } })).map(({ id }) => id));
  const unknown = channels.findIndex((id) => !known.has(id));
  if (unknown < 0) return;
  const message = `There is no channel ${JSON.stringify(channels[unknown])}. GET /manage/v1/alerts/channels lists all of them.`;
  throw invalid(`channels.${unknown}`, 'unknown_channel', message);
}
