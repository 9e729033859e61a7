import { count } from '../../lib/format.ts';
import type { Cause } from '../../lib/why.ts';
import { text } from '../../texts/index.ts';
import type { Alert } from './severity.tsx';

type Values = Readonly<Record<string, string | number>>;

const { says, ended } = text.alerts;

const endpointOf = ({ description, host }: Values) =>
  description === '' ? String(host) : says.endpoint(String(description), String(host));

/** An alert, as far as its words depend on it. */
type Said = Pick<Alert, 'case' | 'values'>;
type Texts = Readonly<Record<Alert['case'], (of: Values) => string>>;

const messages: Texts = {
  endpoint_failing: (of) => says.endpoint_failing(endpointOf(of), String(of.endpoint)),
  endpoint_disabled: (of) =>
    says.endpoint_disabled(endpointOf(of), says.disabledBecause[of.because as 'gone'], String(of.endpoint)),
  dead_letters: (of) => says.dead_letters(endpointOf(of), Number(of.deliveries), String(of.endpoint)),
  queue_down: () => says.queue_down,
  records_lost: (of) => says.records_lost(Number(of.calls), Number(of.rows)),
  disk_space: (of) => says.disk_space(Number(of.megabytes)),
  store_down: () => says.store_down,
};

/** What an alert says in the viewer's language. */
export const messageOf = (alert: Said): string => messages[alert.case](alert.values);

/** The sentence for an alert whose rule no longer finds its case. */
const cleared: Texts = {
  endpoint_failing: (of) => ended.activated(endpointOf(of), String(of.endpoint)),
  endpoint_disabled: (of) => ended.activated(endpointOf(of), String(of.endpoint)),
  dead_letters: (of) => ended.dead_letters(endpointOf(of), String(of.endpoint)),
  queue_down: () => ended.queue_down,
  records_lost: () => ended.records_lost,
  disk_space: () => ended.disk_space,
  store_down: () => ended.store_down,
};

/** What ended an alert, in the viewer's language; null while it is open. `why` says a cause. */
export function endingOf(alert: Said & Pick<Alert, 'ending'>, why: (cause: Cause, subject: string) => string): string | null {
  const { case: name, values, ending } = alert;
  const id = String(values.endpoint);
  switch (ending?.case) {
    case 'stopped':
      return ending.cause && ended.stopped(why(ending.cause, endpointOf(values)), id);
    case 'answers': {
      const waiting = ending.waiting ? text.server.causes.waiting(ending.waiting, count(ending.waiting)) : '';
      return ended.answers(endpointOf(values), waiting, id);
    }
    case 'cleared':
      return cleared[name](values);
    default:
      return null;
  }
}
