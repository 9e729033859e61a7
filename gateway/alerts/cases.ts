import type { Cause } from '../base/causes/cause.ts';
import { causeText } from '../figures/cause.ts';
import type { AlertCase, AlertDetail, AlertValues } from '../store/tables/alerts.ts';

/** What an alert says by its case. The console says the same in the viewer's language, from the case and the values. */
const texts: { [C in AlertCase]: (values: AlertValues[C], cause?: Cause) => string } = {
  endpoint_failing: ({ failed, attempts, ...of }, cause) =>
    about(of, `${failed} of ${attempts} attempts in ${span(of)} failed.`, cause),
  endpoint_held: ({ holds, ...of }, cause) =>
    about(of, `Its circuit opened ${counted(holds, 'time', 'times')} in a row, and its deliveries wait. None is lost.`, cause),
  endpoint_gone: (of) => about(of, `Its receiver answered 410 Gone${disabled}`),
  endpoint_disabled: (of) => about(of, `It only failed for days${disabled}`),
  dead_letters: ({ deliveries, ...of }, cause) =>
    about(
      of,
      `${counted(deliveries, 'delivery', 'deliveries')} failed for good in ${span(of)}. Send them again when its receiver works.`,
      cause,
    ),
  limit_refusals: ({ caller, name, calls, minutes }) =>
    `${name === '' ? caller : `“${name}” (${caller})`}: ${counted(calls, 'call', 'calls')} refused with 429 in ${span({ minutes })}.`,
  ledger_unbalanced: ({ missing, surplus }) =>
    `The ledger does not balance: ${counted(missing, 'row is', 'rows are')} missing, ${surplus} too many.`,
  calls_not_recorded: ({ calls, minutes }) =>
    `${counted(calls, 'call was', 'calls were')} served but not recorded in ${span({ minutes })}.`,
  disk_space: ({ megabytes }) => `The disk with the database has ${megabytes} MB left. Writes are refused when 32 MB are left.`,
  own_endpoint_held: (of, cause) => about(of, 'Its deliveries wait. None is lost.', cause),
  own_endpoint_disabled: ({ because, ...of }) => about(of, `Nothing is sent to it: ${disabledBecause[because]}.`),
  own_deliveries_blocked: (of, cause) => about(of, 'It receives nothing else in their order.', cause),
  own_token_expires: ({ token, name, at }) => `The access token “${name}” (${token}) expires at ${at}.`,
  own_key_expires: ({ key, at }) => `The API key ${key}, which was replaced, ends at ${at}.`,
  own_secret_expires: ({ at, ...of }) => about(of, `Its new signing secret is not confirmed, and the old one ends at ${at}.`),
  source_address_changes: ({ address, change, at }) =>
    change === 'begins'
      ? `Webhooks may come from ${address} from ${at} on.`
      : `No webhook comes from ${address} any more from ${at} on.`,
  proxy_failing: ({ status }) =>
    `The proxy for webhooks ${status === 0 ? 'does not answer' : `answers ${status}`}. All deliveries wait, and no receiver is charged.`,
  deliveries_late: ({ late, attempts, hours }) =>
    `${late} of ${attempts} first attempts in the last ${hours === 1 ? 'hour' : `${hours} h`} began over 5 s late by the gateway's own fault. At most 0.1 % should. Add a process, or see what slows it down.`,
  queue_down: () => 'The queue does not answer. Calls are served; deliveries wait in the store.',
  store_down: () => 'The store does not answer, or refuses writes. Calls get 503.',
};

const disabledBecause = {
  gone: 'its receiver answered 410 Gone',
  failing: 'it only failed for days',
  operator: 'an operator disabled it',
};
const disabled = ', so the gateway disabled it. Deliveries are skipped until it is activated.';

/** Consumers of the released manage API know no other cases. */
const notShown = [
  'own_deliveries_blocked',
  'source_address_changes',
  'proxy_failing',
  'deliveries_late',
] as const satisfies AlertCase[];
export type ShownCase = Exclude<AlertCase, (typeof notShown)[number]>;
export const shownCases = Object.keys(texts).filter((name) => notShown.every((one) => one !== name)) as [
  ShownCase,
  ...ShownCase[],
];

/** What an alert says, in English. */
export const alertText = (detail: AlertDetail): string =>
  (texts[detail.case] as (values: unknown, cause?: Cause) => string)(detail.values, detail.cause);

type OfEndpoint = AlertValues['endpoint_gone'];

/** The cause comes first: mail programs show the beginning of a subject. */
function about({ endpoint, host, description }: OfEndpoint, text: string, cause?: Cause): string {
  const name = nameOf({ host, description });
  return `${cause ? causeText(cause, name) : `${name}:`} ${text} (${endpoint})`;
}

export const nameOf = ({ host, description }: Pick<OfEndpoint, 'host' | 'description'>): string =>
  description === '' ? host : `“${description}” at ${host}`;

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
export const span = ({ minutes }: { minutes: number }): string => (minutes === 1 ? 'the last minute' : `the last ${minutes} min`);
