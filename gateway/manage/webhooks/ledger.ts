import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, toInstantOrNull } from '../../http/fields.ts';
import { listQuery } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { readLedger } from '../../webhooks/operator/ledger.ts';
import { idText, serviceField } from './views.ts';

const count = z.int();

const ledger = z.object({
  period: z
    .object({ from: instant().nullable(), to: instant().nullable() })
    .describe('The requested bound; null if there is none.'),
  expected: count
    .nullable()
    .describe(
      'Deliveries that the events should have: the sum of the endpoints that matched each event. Null with `endpoint_id`, ' +
        'because an event stores how many endpoints matched, but not which.',
    ),
  filtered: count
    .nullable()
    .describe('Deliveries that filters on the payload spared; `expected` does not count them. Null with `endpoint_id`.'),
  awaiting_fan_out: count.describe('Events whose deliveries are not created yet.'),
  deliveries: z.object({ pending: count, delivered: count, failed: count, skipped: count }),
  skipped_because: z
    .record(z.string(), count)
    .describe('Skipped deliveries by reason, such as `endpoint_disabled` or `endpoint_deleted`.'),
  unaccounted: count.nullable().describe('Expected minus found: 0 unless a delivery was lost. Null with `endpoint_id`.'),
});

export function ledgerRoute(app: App, { store }: Services): void {
  const route = routesOf(app, ['Deliveries']);
  route('GET /ledger', {
    operationId: 'readLedger',
    summary: 'The sum of deliveries over a period, which must balance',
    description: 'Sums everything that is kept, or the events of a period or service, or the deliveries of one endpoint.',
    querystring: listQuery({
      from: moment().optional().describe('Events created at or after this time.'),
      to: moment().optional().describe('Events created before this time.'),
      service: serviceField().optional(),
      endpoint_id: idText().optional().describe('Only deliveries to this endpoint.'),
    }),
    data: ledger,
    handler: async ({ query }) => {
      const { from = null, to = null } = query;
      const period = { from: toInstantOrNull(from), to: toInstantOrNull(to) };
      return { period, ...(await readLedger(store, query)) };
    },
  });
}
