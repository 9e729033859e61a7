import { type Overview, periods } from '../../lib/figures.ts';
import { linkTo } from '../../lib/filters.ts';
import { count, shortUrl } from '../../lib/format.ts';

export type OverviewProblem = Overview['verdict']['problems'][number];

/** Where each case leads, with the period of the overview. A case that is not here leads to its endpoint, or to all of them. */
const targets: Partial<Record<OverviewProblem['case'], (since: string) => string>> = {
  queue_down: () => linkTo('/deliveries', { status: 'pending' }),
  ledger_unbalanced: (since) => linkTo('/events', { since }),
  dead_letters_one: (since) => linkTo('/deliveries', { status: 'failed', since }),
  dead_letters: (since) => linkTo('/deliveries', { status: 'failed', since }),
  calls_failed_one: (since) => linkTo('/calls', { status: '5xx', since }),
  calls_failed: (since) => linkTo('/calls', { status: '5xx', since }),
  records_lost_one: () => '/calls',
  records_lost: () => '/calls',
  late_one: () => linkTo('/deliveries', { status: 'pending' }),
  late: () => linkTo('/deliveries', { status: 'pending' }),
  retrying_one: () => linkTo('/deliveries', { status: 'pending', waits_for: 'time' }),
  retrying: () => linkTo('/deliveries', { status: 'pending', waits_for: 'time' }),
  limited_one: () => '/limits',
  limited: () => '/limits',
  held_many: () => linkTo('/endpoints', { state: 'held' }),
  disabled_many: () => linkTo('/endpoints', { state: 'disabled' }),
};

/** Problems with dead letters that block lead to the list of the blocking deliveries. */
const isBlocked = ({ cause, raw }: OverviewProblem) => cause?.case === 'blocked' || raw.reason === 'blocked';

export function hrefOf(problem: OverviewProblem, { period }: Overview): string {
  const { case: name, endpoints } = problem;
  const target = targets[name]?.(periods[period.name].since);
  const [only, ...others] = endpoints;
  if (isBlocked(problem))
    return linkTo('/deliveries', { blocking: 'true', ...(only && others.length === 0 && { endpoint_id: only.id }) });
  return target ?? (only && others.length === 0 ? `/endpoints/${only.id}` : '/endpoints');
}

export const withoutQuery = (url: string) => shortUrl(url).replace(/[?#].*$/, '');

/** A count that stops at `bound`: `1,000+`. */
export const countUpTo = (value: number, bound: number) => (value >= bound ? `${count(bound)}+` : count(value));
