import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, toInstant } from '../../http/fields.ts';
import { readLedger } from '../../webhooks/operator/ledger.ts';
import { idText, serviceField } from './views.ts';

const count = z.number().int();
const moment = () => z.iso.datetime({ offset: true });

const ledger = z.object({
  period: z
    .object({ from: instant().nullable(), to: instant().nullable() })
    .describe('As it was asked for; null where it has no bound.'),
  expected: count
    .nullable()
    .describe(
      'Deliveries that the events came to so far: each event times the endpoints that matched it. Null with `endpoint_id`: ' +
        'an event keeps how many endpoints matched, not which.',
    ),
  awaiting_fan_out: count.describe('Events whose deliveries are still to be made, for whichever endpoint.'),
  deliveries: z.object({ pending: count, delivered: count, failed: count, skipped: count }),
  skipped_because: z
    .record(z.string(), count)
    .describe('Those skipped, by reason, such as `endpoint_disabled` or `endpoint_deleted`.'),
  unaccounted: count.nullable().describe('Expected less those found. 0, or something was lost. Null with `endpoint_id`.'),
});

export function ledgerRoute(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/ledger',
    schema: {
      operationId: 'readLedger',
      tags: ['Deliveries'],
      summary: 'The sum of deliveries over a period: it balances',
      description:
        'Over everything that is kept, or the events made in a period, of one service, or the deliveries of one endpoint.',
      querystring: z.strictObject({
        from: moment().optional().describe('Events made from this instant on.'),
        to: moment().optional().describe('Events made before this instant.'),
        service: serviceField().optional(),
        endpoint_id: idText().optional().describe('The deliveries to this endpoint only.'),
      }),
      response: { 200: z.object({ data: ledger }) },
    },
    handler: async ({ query }) => {
      const [from, to] = [query.from, query.to].map((text) => (text === undefined ? undefined : Date.parse(text)));
      const period = { from: from === undefined ? null : toInstant(from), to: to === undefined ? null : toInstant(to) };
      return { data: { period, ...(await readLedger(store, { ...query, from, to })) } };
    },
  });
}
