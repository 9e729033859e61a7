import { isRecord } from '../../../../spec/json.ts';
import { alertFindings } from '../cohesion-replies.ts';
import { choice, not, nothing, other, type Recogniser, type Recognisers, rule } from '../finding.ts';
import type { SeenWebhook } from './webhook.ts';

const ofPos: Recogniser<SeenWebhook>[] = [
  rule('pos.webhook-envelope', ({ event, body }) => {
    if (event === undefined || !isRecord(body)) return undefined;
    if (body.event === event && 'delivered_at' in body && isRecord(body.data))
      return [choice, 'a webhook has event, delivered_at and data'];
    if (body.type === event && 'created_at' in body && isRecord(body.data))
      return ['type-created-at', 'a webhook has type, created_at and data'];
    return Object.values(body).includes(event)
      ? [other, 'a webhook has another envelope']
      : ['bare', 'a webhook names its event in a header only'];
  }),
  rule('pos.inventory-low-condition', ({ event, payload: { quantity } }) => {
    const isAbove = event === 'inventory.low' && Number(quantity) > 0;
    return isAbove && [not('at-zero'), 'stock is low with a quantity above 0'];
  }),
];

const ofCohesion: Recogniser<SeenWebhook>[] = [
  rule('cohesion.webhook-envelope', ({ event, body }) => {
    // The document shows the payload of this event.
    if (event === undefined || event === 'intervention.validated' || !isRecord(body)) return undefined;
    return body.event === event && 'delivered_at' in body && isRecord(body.data)
      ? [choice, 'another event has event, delivered_at and data']
      : ['own-shapes', 'another event lacks event, delivered_at or data'];
  }),
  ({ event, payload: { alert_state: state } }) => (event === 'indicator.alert' ? alertFindings([state]) : nothing),
];

export const payloads: Recognisers<SeenWebhook> = { pos: ofPos, cohesion: ofCohesion };
