import type { Cause } from '../base/causes/cause.ts';
import { causesEn } from '../base/causes/en.ts';
import { causeText, englishSpeech } from '../figures/cause.ts';
import type { AlertCase, AlertDetail, AlertValues } from '../store/tables/alerts.ts';

type OfEndpoint = AlertValues['endpoint_failing'];
type Texts = { [C in AlertCase]: (values: AlertValues[C], cause?: Cause) => string };

/** What an alert says by its case. */
const opened: Texts = {
  endpoint_failing: (of, cause) => about(of, 'Its deliveries wait. None is lost.', cause),
  endpoint_disabled: ({ because, ...of }) =>
    about(of, `${disabledBecause[because]} Deliveries are skipped until it is activated.`),
  dead_letters: ({ deliveries, ...of }, cause) =>
    about(
      of,
      `${counted(deliveries, 'delivery', 'deliveries')} failed for good. Send them again when its receiver works.`,
      cause,
    ),
  queue_down: () => 'The queue does not answer. Calls are served; deliveries wait in the store.',
  records_lost: ({ calls, rows }) =>
    `Records are lost: ${counted(calls, 'call was', 'calls were')} served but not recorded, and the ledger misses ${counted(rows, 'row', 'rows')}.`,
  disk_space: ({ megabytes }) => `The disk with the database has ${megabytes} MB left. Writes are refused when 32 MB are left.`,
  store_down: () => 'The store does not answer, or refuses writes. Calls get 503.',
};

const disabledBecause = {
  gone: 'Its receiver answered 410 Gone, so the gateway disabled it.',
  failing: 'It only failed for days, so the gateway disabled it.',
  operator: 'An operator disabled it.',
};

export const alertCases = Object.keys(opened) as [AlertCase, ...AlertCase[]];

/** What an alert says, in English. */
export const alertText = ({ case: name, values, cause }: AlertDetail): string =>
  (opened[name] as Texts[AlertCase])(values as never, cause);

const activated = (of: OfEndpoint) => `${nameOf(of)} is active again, and its deliveries are tried.`;

/** The sentence for an alert whose rule no longer finds its case. */
const cleared: Texts = {
  endpoint_failing: activated,
  endpoint_disabled: activated,
  dead_letters: (of) => `${nameOf(of)} has no dead letter left: all were sent again, skipped by hand, or deleted by retention.`,
  queue_down: () => 'The queue answers again.',
  records_lost: () => 'Calls are recorded again, and the ledger misses nothing.',
  disk_space: () => 'The disk with the database has enough space again.',
  store_down: () => 'The store answers again.',
};

/** What ended an alert, in English. */
export function endingText(detail: AlertDetail): string {
  const { ending, values } = detail;
  const id = 'endpoint' in values ? ` (${values.endpoint})` : '';
  const name = 'endpoint' in values ? nameOf(values) : '';
  switch (ending?.case) {
    case 'stopped':
      return `${causeText(ending.cause, name)}${id}`;
    case 'answers':
      return `${name} answers again.${waitingText(ending.waiting)}${id}`;
    default:
      return `${(cleared[detail.case] as Texts[AlertCase])(values as never)}${id}`;
  }
}

const waitingText = (count: number): string => (count === 0 ? '' : ` ${causesEn.waiting(count, englishSpeech.count(count))}.`);

/** The cause comes first: mail programs show the beginning of a subject. */
function about({ endpoint, host, description }: OfEndpoint, text: string, cause?: Cause): string {
  const name = nameOf({ host, description });
  return `${cause ? causeText(cause, name) : `${name}:`} ${text} (${endpoint})`;
}

export const nameOf = ({ host, description }: Pick<OfEndpoint, 'host' | 'description'>): string =>
  description === '' ? host : `“${description}” at ${host}`;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
