import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, text, toInstantOrNull } from '../../http/fields.ts';
import { cursorOf } from '../../http/page.ts';
import type { CallRecords } from '../../http/record/recorder.ts';
import { routesOf } from '../../http/routes.ts';
import { viewCall } from '../calls/export.ts';
import { callSummary, withNames } from '../calls/routes.ts';
import { causesOf } from '../webhooks/causes.ts';
import {
  attemptView,
  eventView,
  explainedDelivery,
  ownedEndpointView,
  viewAttempt,
  viewDelivery,
  viewEvent,
  viewOwned,
} from '../webhooks/views.ts';
import { findStory } from './find.ts';

const attempt = attemptView
  .pick({
    id: true,
    number: true,
    manual: true,
    outcome: true,
    error: true,
    response_status: true,
    started_at: true,
    ended_at: true,
  })
  .extend({ delivery_id: z.string() });

const endpoint = ownedEndpointView.pick({ id: true, service: true, url: true, description: true, owner: true });

const story = z.object({
  calls: z.array(callSummary),
  calls_gone: z.array(z.string()).describe('Ids of calls that caused an event of the story and are no longer kept.'),
  events: z.array(eventView).describe('`caused_by` leads to the call.'),
  deliveries: z.array(explainedDelivery).describe('`event_id` leads to the event.'),
  attempts: z.array(attempt).describe('`delivery_id` leads to the delivery.'),
  endpoints: z.array(endpoint).describe('The endpoints of the deliveries, deleted ones too.'),
  cut: z.boolean().describe('True if there are more events (100), deliveries (200) or attempts (500) than a story shows.'),
});

const storyQuery = z.strictObject({
  q: text(200).describe('An id or a text, case-sensitive.').meta({ example: 'S-20261121-7K3M9Q' }),
  limit: z.coerce.number().int().min(1).max(50).default(20).describe('Calls and events that contain the text, 1 to 50 each.'),
  cursor: cursorOf(''),
});

/** The whole story of a sale, or of anything else that has an id or a text. */
export function storyRoute(app: App, { store, clock }: Services, records: CallRecords): void {
  const route = routesOf(app, ['Story']);
  route('GET /story', {
    operationId: 'readStory',
    summary: 'From the request to the last receipt: calls, events, deliveries and attempts that belong together',
    description:
      'Found by the id of a call (`x-request-id`), an event (`webhook-id`) or a delivery, or by a text of a call or an event: the id or reference of a sale, the Idempotency-Key, any text of a body. Each list is in the order of time.',
    querystring: storyQuery,
    reply: z.object({
      data: story,
      next: z.string().nullable().describe('The cursor of older calls and events that may contain the text.'),
      searched_to: instant()
        .nullable()
        .describe('Set when the search stopped before the page was full: what is older was not searched yet.'),
    }),
    handler: async ({ query }) => {
      await records.flush();
      const { calls, events, deliveries, attempts, endpoints, calls_gone, cut, next, searchedTo } = await findStory(store, {
        ...query,
        q: query.q.trim(),
      });
      const nowMs = clock.now();
      const causeOf = await causesOf(store, deliveries, { nowMs, counts: true });
      const data = {
        calls: (await withNames(store, calls)).map(viewCall),
        calls_gone,
        events: events.map(viewEvent),
        deliveries: deliveries.map((one) => ({ ...viewDelivery(one), cause: causeOf(one) })),
        attempts: attempts.map((one) => ({ ...viewAttempt(one), delivery_id: one.delivery_id })),
        endpoints: await viewOwned(store, endpoints, nowMs),
        cut,
      };
      return { data, next, searched_to: toInstantOrNull(searchedTo) };
    },
  });
}
