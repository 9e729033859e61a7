import { z } from 'zod';
import { invalid } from '../../base/errors.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, text, toInstant } from '../../http/fields.ts';
import { listQuery } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { refused } from '../../manage/refusals.ts';
import { readerOf } from '../../webhooks/outbox/consumers.ts';
import { digestOf, readByIds } from '../../webhooks/outbox/digest.ts';
import { hourMs } from '../../webhooks/outbox/hours.ts';
import { callerOf } from '../caller.ts';
import { feedEvent, typesOf, viewFeedEvent } from './feed.ts';
import type { ProfileWebhookOptions } from './own.ts';

/** One call reads every event of its period. */
const mostHours = { plain: 31 * 24, withIds: 24 };
const mostIds = 100;

const query = {
  from: moment().optional().describe('The beginning of an hour. Default: 24 hours before `to`.'),
  to: moment()
    .optional()
    .describe(
      'The beginning of an hour. Default: the beginning of this hour, because an event of this hour may be committed late.',
    ),
  types: text(2000).optional().describe('Event types, separated by commas. Default: all of your API.'),
  consumer: text(40).optional().describe('The name of a consumer of yours: its types, in place of `types`.'),
  ids: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Lists the ids of each hour too. The period may then have 24 hours, otherwise 31 days.'),
};

const hourView = z.object({
  hour: instant().describe('Its beginning, in UTC. The hour of an event is that of the time in its id.'),
  count: z.int(),
  hash: z.string().describe('SHA-256, hexadecimal, of the ids in ascending order, each followed by a line feed.'),
  ids: z.array(z.string()).nullable().describe('The ids, if `ids` was sent.'),
});

/** A part of an hour would have another hash than the hour. */
function wholeHour(field: string, atMs: number | undefined): number | undefined {
  if (atMs === undefined || atMs % hourMs === 0) return atMs;
  const hour = toInstant(Math.floor(atMs / hourMs) * hourMs);
  throw invalid(field, 'not_an_hour', `"${field}" must be the beginning of an hour, such as ${hour}, got ${toInstant(atMs)}.`);
}

/** `GET /events/digest`: what a partner compares with the ids that it has stored. */
export function digestRoute(app: App, { store, clock }: Services, { catalogue }: ProfileWebhookOptions): void {
  const route = routesOf(app, ['Your events']);
  route('GET /events/digest', {
    operationId: 'readProfileEventDigest',
    summary: 'Count and hash of your events for each hour',
    description:
      'Compare them with the `webhook-id`s that you have stored, and ask with `ids=true` for the hours that differ. Hours without events are left out.',
    querystring: listQuery(query),
    reply: z
      .object({ data: z.array(hourView), from: instant(), to: instant() })
      .describe('The hours, and the period that was read.'),
    refusals: { 404: refused },
    handler: async (request) => {
      const { owner } = callerOf(request);
      const { types } = await typesOf(store, request.query, { owner, catalogue });
      const { to, from, ids: withIds = false } = request.query;
      const toMs = wholeHour('to', to) ?? Math.floor(clock.now() / hourMs) * hourMs;
      const fromMs = wholeHour('from', from) ?? toMs - 24 * hourMs;
      const most = withIds ? mostHours.withIds : mostHours.plain;
      if (toMs - fromMs > most * hourMs)
        throw invalid(
          'from',
          'too_long',
          `The period has over ${most} hours. Ask for less at a time${withIds ? ', or without "ids"' : ''}.`,
        );
      const hours = await digestOf(store, await readerOf(store, { owner, types }), { fromMs, toMs, withIds });
      return {
        data: hours.map(({ startMs, count, hash, ids }) => ({
          hour: toInstant(startMs),
          count,
          hash,
          ids: withIds ? ids : null,
        })),
        from: toInstant(fromMs),
        to: toInstant(toMs),
      };
    },
  });
}

/** `GET /events/by-id`: what a partner found missing. */
export function byIdRoute(app: App, { store }: Services): void {
  const route = routesOf(app, ['Your events']);
  route('GET /events/by-id', {
    operationId: 'readProfileEventsById',
    summary: 'Your events with these ids',
    description: 'For events that a digest shows to be missing. Ids of no event that you may see are in `unknown`.',
    querystring: listQuery({
      ids: text(4000)
        .transform((ids) => ids.split(',').map((id) => id.trim()))
        .refine((ids) => ids.length <= mostIds, `must have at most ${mostIds} ids`)
        .describe(`Up to ${mostIds} ids, separated by commas.`),
    }),
    reply: z.object({
      data: z.array(feedEvent),
      unknown: z
        .array(z.string())
        .describe('The ids of no event that you may see now, such as those of tests or of what is not kept any more.'),
    }),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const { ids } = request.query;
      const events = await readByIds(store, await readerOf(store, { owner, types: null }), ids);
      const found = new Set(events.map(({ id }) => id));
      return { data: events.map(viewFeedEvent), unknown: ids.filter((id) => !found.has(id)) };
    },
  });
}
