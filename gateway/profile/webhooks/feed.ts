import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../base/errors.ts';
import { asCall } from '../../base/in-call.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, text, toInstant } from '../../http/fields.ts';
import { listQuery } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Partner } from '../../store/tables/webhooks.ts';
import { checkEvents } from '../../webhooks/endpoints/endpoints.ts';
import { Arrivals } from '../../webhooks/outbox/arrivals.ts';
import {
  type Cursor,
  endOfFeed,
  type FeedPage,
  heldBackSince,
  isBefore,
  type Reader,
  readCursor,
  readFeed,
  textOfCursor,
} from '../../webhooks/outbox/feed.ts';
import { readOwner, serviceOf } from '../../webhooks/outbox/owners.ts';
import { callerOf } from '../caller.ts';
import type { ProfileWebhookOptions } from './own.ts';

const tags = ['Your events'];
const latest = 'latest';
const longestWaitSeconds = 30;
/** Calls of one partner that wait at once. */
const mostWaiting = 20;

const query = {
  after: text(200)
    .optional()
    .describe('`next` of the last reply. `latest` begins after the newest event. Default: the oldest event that is kept.'),
  types: text(2000).optional().describe('Event types, separated by commas. Default: all of your API.'),
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(longestWaitSeconds)
    .default(0)
    .describe('Seconds to wait for an event if there is none yet, up to 30.'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Events on a page, 1 to 500.'),
};

const feedEvent = z.object({
  id: z.string().describe('The `webhook-id` of its deliveries.'),
  type: z.string(),
  subject: z.string().nullable().describe('The store or structure that it is about.'),
  created_at: instant(),
  payload: z.unknown().describe('What deliveries send as their body.'),
});

const feedPage = z.object({
  data: z.array(feedEvent),
  next: z.string().describe('The cursor after this page. Store it with what you have done, and send it as `after`.'),
  more: z.boolean().describe('True if there may be more events now: read on at once, even if this page is empty.'),
  held_back_seconds: z
    .int()
    .describe(
      'How long an event that is stored has waited for an older transaction to end, because it must not come before its events; 0 if none waits.',
    ),
});

const viewFeedEvent = ({ id, type, subject, created_at, body }: Row<'events'>): z.input<typeof feedEvent> => ({
  id,
  type,
  subject,
  created_at: toInstant(created_at),
  payload: JSON.parse(body),
});

/** `GET /events`: what a partner may see, in the order of the commits. */
export function feedRoute(app: App, services: Services, { catalogue }: ProfileWebhookOptions): void {
  const route = routesOf(app, tags);
  const { store, clock } = services;
  const waits = new Waits(services);
  app.addHook('preClose', async () => waits.arrivals.close());
  route('GET /events', {
    operationId: 'readProfileEvents',
    summary: 'Your events, oldest first, without holes',
    description:
      'The events that your endpoints would receive without a filter of their own, in the order in which they were committed. A page ends before the ' +
      'oldest transaction in flight, so no event appears later before a cursor. With `wait`, a reply without events is sent after that ' +
      'time, or with the next event. Refused with `events_removed` if events after the cursor may be gone.',
    querystring: listQuery(query),
    reply: feedPage,
    config: { streams: true },
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const { after, wait, limit } = request.query;
      const types = typesOf(request.query.types, { owner, catalogue });
      const read = (from: Cursor | undefined) =>
        asCall(async () => {
          // Each time, because the perimeter may change during a wait.
          const reader = await readerOf(store, owner, types);
          return { ...(await readFeed(store, reader, from, limit)), reader };
        });
      const first = await read(await startOf(store, after));
      const page = await waits.until(first, read, { owner, forMs: wait * 1000, reply });
      const since = page.more ? undefined : await heldBackSince(store, page.next.place);
      return {
        data: page.events.map(viewFeedEvent),
        next: textOfCursor(page.next),
        more: page.more,
        held_back_seconds: since === undefined ? 0 : Math.max(0, Math.round((clock.now() - since) / 1000)),
      };
    },
  });
}

/** Where a call begins to read; undefined for the oldest event. */
async function startOf(rows: Rows, after: string | undefined): Promise<Cursor | undefined> {
  if (after === latest) return endOfFeed(rows);
  return after === undefined ? undefined : readCursor(after);
}

/** The event types that a call lists; undefined for all. */
function typesOf(
  listed: string | undefined,
  { owner, catalogue }: { owner: Partner } & Pick<ProfileWebhookOptions, 'catalogue'>,
): Set<string> | undefined {
  const names = listed?.split(',').map((type) => type.trim());
  return names && new Set(checkEvents(serviceOf(owner), names, catalogue, 'types'));
}

/** What an owner may see now, of these types. An owner that does not exist any more may see nothing. */
async function readerOf(rows: Rows, owner: Partner, types: Reader['types']): Promise<Reader> {
  const state = await readOwner(rows, owner);
  return { service: serviceOf(owner), visible: state?.visible ?? { subjects: [], unscoped: false }, types };
}

interface ReadPage extends FeedPage {
  reader: Reader;
}

interface Waiting {
  owner: Partner;
  forMs: number;
  reply: FastifyReply;
}

/** The calls of a process that wait for events. */
class Waits {
  readonly arrivals: Arrivals;
  readonly #counts = new Map<Partner, number>();

  constructor(services: Services) {
    this.arrivals = new Arrivals(services);
  }

  /** Reads again when there may be an event, until there is one or the time is over. Ends with the client's connection. */
  async until(first: ReadPage, read: (from: Cursor) => Promise<ReadPage>, { owner, forMs, reply }: Waiting): Promise<ReadPage> {
    if (forMs === 0 || first.more || first.events.length > 0) return first;
    const count = this.#counts.get(owner) ?? 0;
    if (count >= mostWaiting) throw tooManyWaiting();
    this.#counts.set(owner, count + 1);
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    const over = AbortSignal.any([ended.signal, AbortSignal.timeout(forMs)]);
    try {
      let page = first;
      while (!over.aborted && !this.arrivals.isClosed && !page.more && page.events.length === 0) {
        const { accepted, place: from } = page.next;
        const place = await this.arrivals.wait({ reader: page.reader, after: from, signal: over });
        page = await read({ place, accepted: isBefore(accepted, place) ? place : accepted });
      }
      return page;
    } finally {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) this.#counts.delete(owner);
      else this.#counts.set(owner, left);
    }
  }
}

const tooManyWaiting = () =>
  new Refusal(
    'limited',
    'too_many_waiting',
    `${mostWaiting} calls with your credentials wait for events already. One that reads all of them is enough.`,
  );
