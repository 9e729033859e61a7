import { count } from '../../lib/format.ts';
import type { Cause } from '../../lib/why.ts';
import { text } from '../../texts/index.ts';
import type { Alert } from './severity.tsx';

type Values = Readonly<Record<string, string | number>>;

const { says, ended } = text.alerts;

const endpointOf = ({ description, host }: Values) =>
  description === '' ? String(host) : says.endpoint(String(description), String(host));
const callerOf = ({ name, caller }: Values) => (name === '' ? String(caller) : says.caller(String(name), String(caller)));

/** An alert, as far as its words depend on it. */
type Said = Pick<Alert, 'case' | 'values'> & Partial<Pick<Alert, 'subject'>>;

/** The API allows no new cases. An alert without a case there is recognised by its subject. */
type Case = NonNullable<Alert['case']> | 'proxy_failing' | 'deliveries_late';

function caseOf({ case: name, subject }: Said): Case | null {
  if (name !== null) return name;
  if (subject === 'proxy') return 'proxy_failing';
  return subject === 'delay' ? 'deliveries_late' : null;
}

const messages: Readonly<Record<Case, (of: Values) => string>> = {
  endpoint_failing: (of) =>
    says.endpoint_failing(endpointOf(of), Number(of.failed), Number(of.attempts), Number(of.minutes), String(of.endpoint)),
  endpoint_held: (of) => says.endpoint_held(endpointOf(of), Number(of.holds), String(of.endpoint)),
  endpoint_gone: (of) => says.endpoint_gone(endpointOf(of), String(of.endpoint)),
  endpoint_disabled: (of) => says.endpoint_disabled(endpointOf(of), String(of.endpoint)),
  dead_letters: (of) => says.dead_letters(endpointOf(of), Number(of.deliveries), Number(of.minutes), String(of.endpoint)),
  limit_refusals: (of) => says.limit_refusals(callerOf(of), Number(of.calls), Number(of.minutes)),
  ledger_unbalanced: (of) => says.ledger_unbalanced(Number(of.missing), Number(of.surplus)),
  calls_not_recorded: (of) => says.calls_not_recorded(Number(of.calls), Number(of.minutes)),
  disk_space: (of) => says.disk_space(Number(of.megabytes)),
  own_endpoint_held: (of) => says.own_endpoint_held(endpointOf(of), String(of.endpoint)),
  own_endpoint_disabled: (of) =>
    says.own_endpoint_disabled(endpointOf(of), says.disabledBecause[of.because as 'gone'], String(of.endpoint)),
  own_token_expires: (of) => says.own_token_expires(String(of.name), String(of.token), String(of.at)),
  own_key_expires: (of) => says.own_key_expires(String(of.key), String(of.at)),
  own_secret_expires: (of) => says.own_secret_expires(endpointOf(of), String(of.at), String(of.endpoint)),
  proxy_failing: (of) => says.proxy_failing(Number(of.status)),
  deliveries_late: (of) => says.deliveries_late(Number(of.late), Number(of.attempts), Number(of.hours)),
  queue_down: () => says.queue_down,
  store_down: () => says.store_down,
};

/** What an alert says in the viewer's language, or null if only its message in English is known. */
export function messageOf(alert: Said): string | null {
  const name = caseOf(alert);
  return name === null ? null : messages[name](alert.values);
}

/** The sentence for an alert whose rule no longer finds its case. */
const cleared: Partial<Record<Case, (of: Values) => string>> = {
  endpoint_failing: (of) => ended.fails(endpointOf(of), String(of.endpoint)),
  endpoint_held: (of) => ended.activated(endpointOf(of), String(of.endpoint)),
  endpoint_gone: (of) => ended.activated(endpointOf(of), String(of.endpoint)),
  endpoint_disabled: (of) => ended.activated(endpointOf(of), String(of.endpoint)),
  dead_letters: (of) => ended.dead_letters(endpointOf(of), String(of.endpoint)),
  limit_refusals: (of) => ended.limit_refusals(callerOf(of), Number(of.minutes)),
  ledger_unbalanced: () => ended.ledger_unbalanced,
  calls_not_recorded: (of) => ended.calls_not_recorded(Number(of.minutes)),
  disk_space: () => ended.disk_space,
  proxy_failing: () => ended.proxy_failing,
  deliveries_late: () => ended.deliveries_late,
  queue_down: () => ended.queue_down,
  store_down: () => ended.store_down,
};

/** What ended an alert, in the viewer's language; null if it is not known. `why` says a cause. */
export function endingOf(alert: Said & Pick<Alert, 'ending'>, why: (cause: Cause, subject: string) => string): string | null {
  const { values, ending } = alert;
  const name = caseOf(alert);
  if (ending === null || name === null) return null;
  const id = String(values.endpoint);
  switch (ending.case) {
    case 'rule_off':
      return ended.ruleOff(messages[name](values));
    case 'stopped':
      return ending.cause && ended.stopped(why(ending.cause, endpointOf(values)), id);
    case 'answers': {
      const waiting = ending.waiting ? text.server.causes.waiting(ending.waiting, count(ending.waiting)) : '';
      return ended.answers(endpointOf(values), waiting, id);
    }
    case 'cleared':
      return cleared[name]?.(values) ?? null;
  }
}
