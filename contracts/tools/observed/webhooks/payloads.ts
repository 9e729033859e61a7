import { isRecord, type Json } from '../../../json.ts';
import { timeFindings } from '../both.ts';
import { isText } from '../call.ts';
import { alertConditionFindings, alertFindings } from '../cohesion-replies.ts';
import { fieldsOfEvent, hasLike, named } from '../fields.ts';
import { choice, type Judgement, not, nothing, other, type Recogniser, type Recognisers, rule } from '../finding.ts';
import type { SeenWebhook } from './webhook.ts';

/** A recogniser of one event's payload. `ours`: the names of its fields under our choice. */
const payload = (gap: string, event: string, judge: (payload: Json, ours: readonly string[]) => Judgement) => {
  const api = gap.startsWith('pos.') ? 'pos' : 'cohesion';
  return rule<SeenWebhook>(gap, (webhook) => webhook.event === event && judge(webhook.payload, fieldsOfEvent(api, event)));
};

/** A payload that has one of our fields only. Further fields are always allowed, so they may be ours under other names. */
function single(held: Json, ours: readonly string[], name: string, way: string): Judgement {
  if (ours.filter((one) => one in held).join() !== name) return undefined;
  return Object.keys(held).length === 1
    ? [way, `a payload has only ${name}`]
    : [not(choice), `of the fields of our choice a payload has only ${name}`];
}

const isListOfRecords = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isRecord);

const ofPos = [
  ({ payload: held }: SeenWebhook) => timeFindings('pos', held),
  rule<SeenWebhook>('pos.webhook-envelope', ({ event, body }) => {
    if (event === undefined || !isRecord(body)) return undefined;
    if (body.event === event && 'delivered_at' in body && isRecord(body.data))
      return [choice, 'a webhook has event, delivered_at and data'];
    if (body.type === event && 'created_at' in body && isRecord(body.data))
      return ['type-created-at', 'a webhook has type, created_at and data'];
    return Object.values(body).includes(event)
      ? [other, 'a webhook has another envelope']
      : ['bare', 'a webhook names its event in a header only'];
  }),
  payload(
    'pos.sale-completed-payload',
    'sale.completed',
    (held, ours) =>
      single(held, ours, 'reference', 'reference-only') ?? named('a payload', held, ours, ['currency', 'reference']),
  ),
  payload('pos.payment-received-payload', 'payment.received', (held, ours) => {
    const own = ours.filter((name) => name !== 'sale' && name !== 'store_id');
    const hasOwn = own.every((name) => name === 'currency' || name in held);
    if (!hasOwn || 'sale' in held || 'store_id' in held) return named('a payload', held, ours, ['currency']);
    return Object.keys(held).every((name) => own.includes(name))
      ? ['without-sale', 'a payload has the payment, and neither its sale nor the store']
      : [not(choice), 'a payload has the payment, and neither sale nor store_id'];
  }),
  payload('pos.inventory-low-payload', 'inventory.low', (held, ours) => {
    const isList = !('product_id' in held) && Object.values(held).some(isListOfRecords);
    return isList ? ['per-sale', 'a payload has a list of products'] : named('a payload', held, ours);
  }),
  payload(
    'pos.inventory-low-condition',
    'inventory.low',
    ({ quantity }) => Number(quantity) > 0 && [not('at-zero'), 'stock is low with a quantity above 0'],
  ),
  payload('pos.sync-completed-payload', 'sync.completed', (held, ours) =>
    hasLike(held, /start|begin|began/) && hasLike(held, /end|finish/)
      ? ['start-and-end', 'a payload has the start and the end of the synchronization']
      : named('a payload', held, ours),
  ),
];

const moved = (gap: string, event: string, by: RegExp, way: string) =>
  payload(gap, event, (held, ours) =>
    hasLike(held, by) ? [way, 'a payload says who did it, when or why'] : named('a payload', held, ours),
  );

const figures = /^(interventions|indicateurs|structures|financements|montants?|totals?|bilan|chiffres)$/;

const ofCohesion: Recogniser<SeenWebhook>[] = [
  ({ payload: held }) => timeFindings('cohesion', held),
  rule('cohesion.webhook-envelope', ({ event, body }) => {
    // The document shows the payload of this event.
    if (event === undefined || event === 'intervention.validated' || !isRecord(body)) return undefined;
    return body.event === event && 'delivered_at' in body && isRecord(body.data)
      ? [choice, 'another event has event, delivered_at and data']
      : ['own-shapes', 'another event lacks event, delivered_at or data'];
  }),
  moved(
    'cohesion.intervention-terminated-payload',
    'intervention.terminated',
    /^(terminated|termine)|^date_fin$/,
    'terminated-by',
  ),
  moved(
    'cohesion.intervention-suspended-payload',
    'intervention.suspended',
    /^(suspended|suspendu)|^(motif|raison|reason)$/,
    'suspended-by',
  ),
  ({ event, payload: held }) =>
    event === 'indicator.alert' ? [...alertFindings([held.alert_state]), ...alertConditionFindings(held, true)] : nothing,
  payload('cohesion.indicator-alert-payload', 'indicator.alert', (held, ours) => {
    if (hasLike(held, /previous|before|precedent|ancien/)) return ['state-before', 'a payload has the state before'];
    return single(held, ours, 'indicator_id', 'id-only') ?? named('a payload', held, ours);
  }),
  payload('cohesion.plan-closed-payload', 'plan.closed', (held, ours) => {
    if (hasLike(held, /^(plan_)?id$|^(intitule|titre)$/)) return ['plan-id', 'a payload has the id or the title of a plan'];
    return hasLike(held, figures) ? ['figures', 'a payload has figures of the year'] : named('a payload', held, ours);
  }),
  payload('cohesion.rapport-ready-payload', 'rapport.ready', (held, ours) => {
    if (Object.values(held).some((value) => isText(value) && /^https?:\/\//.test(value)))
      return ['url', 'a payload has an address'];
    return Object.entries(held).some(([name, value]) => figures.test(name) && isRecord(value))
      ? ['report', 'a payload has the figures of the report']
      : named('a payload', held, ours);
  }),
];

export const payloads: Recognisers<SeenWebhook> = { pos: ofPos, cohesion: ofCohesion };
