import type { ServiceName } from '../../../documents/services.ts';
import { isRecord, type Json } from '../../json.ts';
import { timeFindings } from '../around.ts';
import { alertConditionFindings, alertFindings } from '../cohesion-replies.ts';
import { fieldsOfEvent, named } from '../fields.ts';
import { choice, excludes, type Finding, nothing, other, shows } from '../finding.ts';
import { isText } from '../look.ts';
import { eventOf, payloadOf, type WebhookRecogniser } from './webhook.ts';

/** Looks at the payload of one event. */
const of =
  (api: ServiceName, event: string, look: (payload: Json) => Finding[]): WebhookRecogniser =>
  (webhook) =>
    eventOf(api, webhook) === event ? look(payloadOf(webhook, event)) : nothing;

const aPayload = 'a payload';
const has = (payload: Json, pattern: RegExp) => Object.keys(payload).some((name) => pattern.test(name));

/** A payload that has one of our fields only. Further fields are always allowed, so they may be ours under other names. */
function single(gap: string, payload: Json, ours: readonly string[], name: string, way: string): Finding[] | undefined {
  const held = ours.filter((one) => one in payload);
  if (held.length !== 1 || held[0] !== name) return undefined;
  return Object.keys(payload).length === 1
    ? shows(gap, way, `a payload has only ${name}`)
    : excludes(gap, [choice], `of the fields of our choice a payload has only ${name}`);
}

const sale = (payload: Json) => {
  const gap = 'pos.sale-completed-payload';
  const ours = fieldsOfEvent('pos', 'sale.completed');
  const free = ['currency', 'reference'];
  return single(gap, payload, ours, 'reference', 'reference-only') ?? named(gap, aPayload, payload, ours, free);
};

const payment = (payload: Json) => {
  const gap = 'pos.payment-received-payload';
  const ours = fieldsOfEvent('pos', 'payment.received');
  const own = ours.filter((name) => name !== 'sale' && name !== 'store_id');
  const lacks = ['sale', 'store_id'].every((name) => !(name in payload));
  if (!lacks || own.some((name) => name !== 'currency' && !(name in payload)))
    return named(gap, aPayload, payload, ours, ['currency']);
  return Object.keys(payload).every((name) => own.includes(name))
    ? shows(gap, 'without-sale', 'a payload has the payment, and neither its sale nor the store')
    : excludes(gap, [choice], 'a payload has the payment, and neither sale nor store_id');
};

const low = (payload: Json) => {
  const gap = 'pos.inventory-low-payload';
  const isList = Object.values(payload).some((value) => Array.isArray(value) && value.length > 0 && value.every(isRecord));
  if (!('product_id' in payload) && isList) return shows(gap, 'per-sale', 'a payload has a list of products');
  const condition =
    Number(payload.quantity) > 0
      ? excludes('pos.inventory-low-condition', ['at-zero'], 'stock is low with a quantity above 0')
      : nothing;
  return [...condition, ...named(gap, aPayload, payload, fieldsOfEvent('pos', 'inventory.low'))];
};

const sync = (payload: Json) => {
  const gap = 'pos.sync-completed-payload';
  return has(payload, /start|begin|began/) && has(payload, /end|finish/)
    ? shows(gap, 'start-and-end', 'a payload has the start and the end of the synchronization')
    : named(gap, aPayload, payload, fieldsOfEvent('pos', 'sync.completed'));
};

const envelope: WebhookRecogniser = (webhook) => {
  const gap = 'pos.webhook-envelope';
  const event = eventOf('pos', webhook);
  const { body } = webhook;
  if (event === undefined || !isRecord(body)) return nothing;
  if (body.event === event && 'delivered_at' in body && isRecord(body.data))
    return shows(gap, choice, 'a webhook has event, delivered_at and data');
  if (body.type === event && 'created_at' in body && isRecord(body.data))
    return shows(gap, 'type-created-at', 'a webhook has type, created_at and data');
  return Object.values(body).includes(event)
    ? shows(gap, other, 'a webhook has another envelope')
    : shows(gap, 'bare', 'a webhook names its event in a header only');
};

const documentedPayload = 'intervention.validated';

const ownShapes: WebhookRecogniser = (webhook) => {
  const gap = 'cohesion.webhook-envelope';
  const event = eventOf('cohesion', webhook);
  const { body } = webhook;
  if (event === undefined || event === documentedPayload || !isRecord(body)) return nothing;
  return body.event === event && 'delivered_at' in body && isRecord(body.data)
    ? shows(gap, choice, 'another event has event, delivered_at and data')
    : shows(gap, 'own-shapes', 'another event lacks event, delivered_at or data');
};

const moved = (gap: string, by: RegExp, way: string) => (payload: Json) =>
  has(payload, by)
    ? shows(gap, way, 'a payload says who did it, when or why')
    : named(gap, aPayload, payload, fieldsOfEvent('cohesion', 'intervention.suspended'));

const alert = (payload: Json) => {
  const gap = 'cohesion.indicator-alert-payload';
  const found = [...alertFindings([payload.alert_state]), ...alertConditionFindings(payload, true)];
  if (has(payload, /previous|before|precedent|ancien/))
    return [...found, ...shows(gap, 'state-before', 'a payload has the state before')];
  const ours = fieldsOfEvent('cohesion', 'indicator.alert');
  return [...found, ...(single(gap, payload, ours, 'indicator_id', 'id-only') ?? named(gap, aPayload, payload, ours))];
};

const figures = /^(interventions|indicateurs|structures|financements|montants?|totals?|bilan|chiffres)$/;

const plan = (payload: Json) => {
  const gap = 'cohesion.plan-closed-payload';
  if (has(payload, /^(plan_)?id$|^(intitule|titre)$/))
    return shows(gap, 'plan-id', 'a payload has the id or the title of a plan');
  if (has(payload, figures)) return shows(gap, 'figures', 'a payload has figures of the year');
  return named(gap, aPayload, payload, fieldsOfEvent('cohesion', 'plan.closed'));
};

const report = (payload: Json) => {
  const gap = 'cohesion.rapport-ready-payload';
  if (Object.values(payload).some((value) => isText(value) && /^https?:\/\//.test(value)))
    return shows(gap, 'url', 'a payload has an address');
  if (Object.entries(payload).some(([name, value]) => figures.test(name) && isRecord(value)))
    return shows(gap, 'report', 'a payload has the figures of the report');
  return named(gap, aPayload, payload, fieldsOfEvent('cohesion', 'rapport.ready'));
};

const times =
  (api: ServiceName): WebhookRecogniser =>
  (webhook) => {
    const event = eventOf(api, webhook);
    return event === undefined ? nothing : timeFindings(api, payloadOf(webhook, event));
  };

export const payloads: Readonly<Record<ServiceName, readonly WebhookRecogniser[]>> = {
  pos: [
    envelope,
    times('pos'),
    of('pos', 'sale.completed', sale),
    of('pos', 'payment.received', payment),
    of('pos', 'inventory.low', low),
    of('pos', 'sync.completed', sync),
  ],
  cohesion: [
    ownShapes,
    times('cohesion'),
    of(
      'cohesion',
      'intervention.terminated',
      moved('cohesion.intervention-terminated-payload', /^(terminated|termine)|^date_fin$/, 'terminated-by'),
    ),
    of(
      'cohesion',
      'intervention.suspended',
      moved('cohesion.intervention-suspended-payload', /^(suspended|suspendu)|^(motif|raison|reason)$/, 'suspended-by'),
    ),
    of('cohesion', 'indicator.alert', alert),
    of('cohesion', 'plan.closed', plan),
    of('cohesion', 'rapport.ready', report),
  ],
};
