import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { text } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import {
  aboutConsumerLedger,
  consumerLedger,
  consumerView,
  consumerWithLag,
  viewConsumers,
  viewOneWithLag,
} from '../../manage/webhooks/consumers.ts';
import type { Rows } from '../../store/port.ts';
import { checkEvents } from '../../webhooks/endpoints/endpoints.ts';
import { readConsumerLedger } from '../../webhooks/operator/consumer-ledger.ts';
import {
  acknowledge,
  type Consumer,
  createConsumer,
  endNames,
  readConsumer,
  removeConsumer,
} from '../../webhooks/outbox/consumers.ts';
import { serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf } from '../caller.ts';
import type { ProfileWebhookOptions } from './own.ts';

const tags = ['Your events'];
const params = z.strictObject({ name: text(40) });

const creation = z.strictObject({
  name: text(40)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must have letters, digits, ".", "_" and "-" only, and begin with a letter or digit')
    .describe('Unique among your consumers.'),
  types: z.array(text(100)).min(1).nullable().default(null).describe('Event types; null, the default, means all.'),
  from: z.enum(endNames).default('oldest').describe('Whether it begins with the oldest event that is kept, or after the newest.'),
});

const acknowledgement = z.strictObject({
  cursor: text(200).describe('`next` of a page; or `oldest` or `latest`.'),
  rewind: z
    .boolean()
    .default(false)
    .describe(
      'True moves back to an earlier cursor. Without it the later one stays, so that acknowledgements may come in any order.',
    ),
});

const viewOne = async (rows: Rows, consumer: Consumer) => {
  const [data] = await viewConsumers(rows, [consumer]);
  return data as z.input<typeof consumerView>;
};

/** A partner's consumers. Beside them is their list, which operators have too. */
export function consumerRoutes(app: App, { store, clock, change }: Services, { catalogue }: ProfileWebhookOptions): void {
  const route = routesOf(app, tags);
  route('POST /consumers', {
    operationId: 'createProfileConsumer',
    summary: 'Create a pull consumer, which reads events from the cursor that it has acknowledged',
    body: creation,
    created: consumerView,
    handler: async (request) => {
      const { owner } = callerOf(request);
      const { types, ...rest } = request.body;
      const checked = types && checkEvents(serviceOf(owner), types, catalogue, 'types');
      const made = await change((step) => createConsumer(step, owner, { ...rest, types: checked }));
      return viewOne(store, made);
    },
  });
  route('GET /consumers/:name', {
    operationId: 'readProfileConsumer',
    summary: 'A pull consumer with its lag',
    params,
    data: consumerWithLag,
    handler: async (request) =>
      await viewOneWithLag(store, await readConsumer(store, callerOf(request).owner, request.params.name)),
  });
  route('GET /consumers/:name/ledger', {
    operationId: 'readProfileConsumerLedger',
    ...aboutConsumerLedger,
    params,
    data: consumerLedger,
    handler: async (request) => {
      const { owner } = callerOf(request);
      return readConsumerLedger(store, (rows) => readConsumer(rows, owner, request.params.name));
    },
  });
  route('POST /consumers/:name/acknowledge', {
    operationId: 'acknowledgeProfileEvents',
    summary: 'Acknowledge the events before a cursor',
    description:
      'Send `next` of a page once you have done and stored what its events ask for. A cursor that no page can have had is refused. Not in the audit trail.',
    params,
    body: acknowledgement,
    data: consumerView,
    handler: async (request) => {
      const { owner } = callerOf(request);
      // Not as a change of the audit trail: consumers acknowledge each page.
      const moved = await store.transaction((tx) =>
        acknowledge({ tx, now: clock.now() }, owner, request.params.name, request.body),
      );
      return viewOne(store, moved);
    },
  });
  route('DELETE /consumers/:name', {
    operationId: 'removeProfileConsumer',
    summary: 'Delete a pull consumer; no event is lost, only how far it came',
    params,
    data: consumerView,
    handler: async (request) =>
      viewOne(store, await change((step) => removeConsumer(step, callerOf(request).owner, request.params.name))),
  });
}
