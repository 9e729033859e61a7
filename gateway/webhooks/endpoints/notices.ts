import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import { talliesOfEnded } from '../../figures/tally.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Found, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { type EventCause, type NoticeKind, noticeKinds } from '../../store/tables/webhooks.ts';
import { defineEvent, eventRow } from '../outbox/event.ts';
import { fanOutInOrder } from '../outbox/inline-fanout.ts';

/** The kinds of notices, each with its meaning and what the operator can do. */
export const noticeMeanings = {
  'endpoint.held':
    'Its deliveries wait, because its receiver fails or is overloaded. A single attempt tests it from time to time. No delivery is lost.',
  'endpoint.recovered':
    'Its receiver works again, and the deliveries that waited are sent. Those that had failed for good can be recovered (POST /manage/v1/recoveries).',
  'endpoint.disabled':
    'Nothing is sent to it any more. When its receiver works again, activate it (PATCH /manage/v1/endpoints/ID {"active": true}). Then recover what it missed (POST /manage/v1/recoveries).',
} as const satisfies Record<NoticeKind, string>;

const data = z.object({
  notice_id: z.string(),
  endpoint_id: z.string(),
  url: z.string(),
  message: z.string(),
  created_at: z.iso.datetime(),
});

/** Each notice is also an event: endpoints of the service `operator` receive it as a webhook. */
export const noticeEvents = noticeKinds.map((type) =>
  defineEvent({
    type,
    service: 'operator',
    summary: noticeMeanings[type],
    data,
    example: {
      notice_id: 'ntc_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
      endpoint_id: 'ep_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
      url: 'https://example.com/webhooks',
      message:
        'The receiver answered 503. Deliveries wait until 2026-11-21T08:53:30.000Z. Then a single attempt tests the receiver.',
      created_at: '2026-11-21T08:53:00.000Z',
    },
    gaps: [],
  }),
);

export function noticeRow(kind: NoticeKind, endpointId: string, message: string, nowMs: number): Row<'notices'> {
  return { id: newId('ntc'), kind, endpoint_id: endpointId, message, created_at: nowMs };
}

/** Stores notices of an endpoint with their events. Returns true if there are events, for which the fan-out must be woken. */
export async function storeNotices(
  tx: Rows,
  endpoint: Row<'endpoints'>,
  notices: readonly Row<'notices'>[],
  causedBy: EventCause,
): Promise<boolean> {
  await tx.append('notices', notices);
  const events = noticeEventsOf(endpoint, notices, causedBy);
  if (events.length === 0) return false;
  const created = await fanOutInOrder(tx, events, 0);
  const rows = created.map(({ delivery }) => delivery);
  await tx.append('events', events, { table: 'deliveries', rows });
  await tx.tally('tallies', talliesOfEnded(rows));
  return true;
}

/** Returns the notices' events. An endpoint that receives notices gets none about itself, or they would never end. */
function noticeEventsOf(endpoint: Row<'endpoints'>, notices: readonly Row<'notices'>[], causedBy: EventCause): Row<'events'>[] {
  if (endpoint.service === 'operator') return [];
  return notices.flatMap(({ id, kind, message, created_at }) => {
    const definition = noticeEvents.find(({ type }) => type === kind);
    const about = { notice_id: id, endpoint_id: endpoint.id, url: endpoint.url, message };
    const data = { ...about, created_at: new Date(created_at).toISOString() };
    return definition
      ? [eventRow(definition, { subject: endpoint.id, dataText: JSON.stringify(data), now: created_at, causedBy })]
      : [];
  });
}

export interface NoticeFilter {
  endpoint_id?: string | undefined;
  kind?: NoticeKind | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listNotices(rows: Rows, { endpoint_id, kind, cursor, limit }: NoticeFilter): Promise<Found<'notices'>> {
  const indexed: Where<'notices'>[] = endpoint_id === undefined ? [] : [{ endpoint_id }];
  return search(rows, { table: 'notices', key: 'id', where: { endpoint_id, kind }, range: { lt: cursor }, indexed, limit });
}
