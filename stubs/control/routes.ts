import { z } from 'zod';
import { Refusal } from '../../gateway/base/errors.ts';
import type { App } from '../../gateway/http/api.ts';
import { optionalBody } from '../../gateway/http/fields.ts';
import { faultRuleSchema } from '../faults/rule.ts';
import type { PaymentEnd, PaymentFilter } from '../payments/types.ts';
import type { Stub, StubOperations } from '../types.ts';
import type { TriggerOptions } from '../webhook-types.ts';

interface Parts {
  stub: StubOperations;
  about: () => Pick<Stub, 'url' | 'credentials'> & { received: number };
}

export function controlRoutes(app: App, { stub, about }: Parts): void {
  stateRoutes(app, stub, about);
  triggerRoute(app, stub);
  paymentRoutes(app, stub);
  faultRoutes(app, stub);
}

const faultsShown = (faults: Stub['faults']) => faults.list().map(({ id, text, applied }) => ({ id, rule: text, applied }));

const advance = z
  .strictObject({ by: z.union([z.string(), z.number()]).describe('Such as 72h, or milliseconds.') })
  .meta({ examples: [{ by: '72h' }] });

function stateRoutes(app: App, stub: StubOperations, about: Parts['about']): void {
  const state = () => {
    const { api, operatorToken, secret, endpoints, payments, faults, assumptions, clock } = stub;
    const { url, credentials, received } = about();
    return {
      data: {
        api,
        url,
        credentials,
        operatorToken,
        endpoints: endpoints.list(),
        faults: faultsShown(faults),
        assumptions: assumptions.list(),
        mobileMoney: payments.rules,
        testNumbers: payments.testNumbers,
        clock: new Date(clock.now()).toISOString(),
        calls: received,
        // Last, so that a line of `sed` which looks for the last secret finds it.
        secret,
      },
    };
  };
  const summary =
    'Address, credentials, endpoints with secrets, faults, active alternatives, rules of mobile money, its test numbers, clock, number of calls, the signing secret';
  app.get('/', { schema: { summary } }, async () => state());
  app.get('/state', { schema: { summary: 'The data as a seed, with which another stub can start' } }, async () => ({
    data: await stub.state(),
  }));
  app.post('/reset', { schema: { summary: 'Back to the start: data, endpoints, clock, limits, faults, calls' } }, async () => {
    await stub.reset();
    return state();
  });
  app.post(
    '/clock/advance',
    { schema: { summary: 'Advance the clock and run what falls due', body: advance } },
    async ({ body }) => {
      await stub.clock.advance(body.by);
      return { data: { now: new Date(stub.clock.now()).toISOString() } };
    },
  );
}

export const secretField = z.string().describe('A signing secret, `whsec_` and the base64 of 24 to 64 bytes.');
export const ownerField = (description: string) =>
  z.string().describe(`\`account:ID\` (pos) or \`user:ID\` (cohesion): ${description}`);

const event = {
  event: z.string(),
  on: z
    .union([z.string(), z.number()])
    .exactOptional()
    .describe('The record to change: an id, a year or a reference. Default: one that allows it.'),
  data: z.record(z.string(), z.unknown()).exactOptional().describe("Merged into the catalogue's example. Then nothing changes."),
};

const trigger = z
  .strictObject({
    ...event,
    event: event.event.exactOptional().describe('The type of one event. Without it, `events` is required.'),
    events: z
      .array(z.strictObject(event))
      .min(1)
      .max(100)
      .exactOptional()
      .describe('Up to 100 of {event, on, data}, in this order.'),
    reorder: z.boolean().exactOptional().describe('Delivers several events in reverse order.'),
    validate: z.boolean().exactOptional().describe('False sends unknown events and data that does not match.'),
    duplicates: z.int().min(0).max(100).exactOptional().describe('Delivers again so many times, with the same webhook-id.'),
    to: z.string().exactOptional().describe('A URL that also gets these events. It gets no later event.'),
    secret: secretField.exactOptional(),
    owner: ownerField(
      'whose endpoint is at `to`. Events that it may not see are skipped. Default: any endpoint there.',
    ).exactOptional(),
  })
  .superRefine(({ events, ...one }, { addIssue }) => {
    if (events === undefined && one.event === undefined) addIssue({ code: 'custom', path: ['event'], message: 'is required' });
    const names = events === undefined ? ['reorder'] : Object.keys(event);
    const stray = names.find((name) => name in one);
    const where =
      events === undefined ? 'is for several events: give `events`' : 'is for one event: leave it out beside `events`';
    if (stray !== undefined) addIssue({ code: 'custom', path: [stray], message: where });
  })
  .meta({ examples: [{ event: 'sale.completed' }] });

function triggerRoute(app: App, stub: StubOperations): void {
  const summary = 'Cause one event, or several; with `data`, send an example';
  app.post('/trigger', { schema: { summary, body: trigger } }, async ({ body }) => {
    const { event = '', on, data, events = [{ event, on, data }], ...options } = body;
    return { data: await stub.triggerAll(events, options satisfies TriggerOptions & { reorder?: boolean }) };
  });
}

const paymentQuery = z.object({
  status: z
    .string()
    .exactOptional()
    .meta({ enum: ['pending', 'received', 'refused', 'timed_out'] }),
  reference: z.string().exactOptional().describe("A sale's reference."),
});

const settling = optionalBody({
  as: z
    .string()
    .exactOptional()
    .meta({ enum: ['received', 'refused', 'timed_out'], description: 'Default: received.' }),
}).meta({ examples: [{ as: 'refused' }] });

const withId = z.object({ id: z.string() });

function paymentRoutes(app: App, stub: StubOperations): void {
  const summary = 'Mobile-money payments, oldest first, with the end of those that are pending';
  app.get('/payments', { schema: { summary, querystring: paymentQuery } }, async ({ query }) => ({
    data: await stub.payments.list(query as PaymentFilter),
  }));
  app.post(
    '/payments/:id/settle',
    { schema: { summary: 'End a pending payment now', params: withId, body: settling } },
    async ({ params, body }) => ({ data: await stub.payments.settle(params.id, body.as as PaymentEnd | undefined) }),
  );
}

const { $schema: _, ...describedRule } = z.toJSONSchema(faultRuleSchema);
/** The faults check it, and say what is wrong. */
const ruleObject = z.record(z.string(), z.unknown()).meta(describedRule);

export const faultRule = z.union([z.string(), ruleObject]).describe('Such as createSale:status=503,times=2, or an object.');

const newFault = z.strictObject({ rule: faultRule }).meta({ examples: [{ rule: '*:status=503,times=2' }] });

function faultRoutes(app: App, stub: StubOperations): void {
  const list = () => ({ data: faultsShown(stub.faults) });
  const examples = {
    summary: 'The replies that `example=NAME` gives, with their causes',
    querystring: z.object({ operation: z.string().exactOptional().describe('An operationId.') }),
  };
  app.get('/examples', { schema: examples }, async ({ query }) => ({ data: stub.faults.examples.of(query.operation) }));
  app.get('/faults', { schema: { summary: 'The fault rules, with how often each was applied' } }, async () => list());
  app.post(
    '/faults',
    { config: { replyStatus: 201 }, schema: { summary: 'Add a fault rule', body: newFault } },
    async ({ body }, reply) => {
      stub.faults.add(body.rule as string);
      return reply.code(201).send(list());
    },
  );
  app.delete('/faults', { schema: { summary: 'Remove all fault rules' } }, async () => {
    stub.faults.clear();
    return list();
  });
  app.delete('/faults/:id', { schema: { summary: 'Remove one fault rule', params: withId } }, async ({ params }) => {
    if (!stub.faults.remove(params.id)) throw new Refusal('not_found', 'not_found', `There is no fault ${params.id}.`);
    return list();
  });
}
