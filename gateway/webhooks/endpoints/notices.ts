import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Found, search } from '../../store/search.ts';
import type { Row } from '../../store/tables/index.ts';
import { type NoticeKind, noticeKinds } from '../../store/tables/webhooks.ts';
import { defineEvent, eventRow } from '../outbox/outbox.ts';

/** What an operator is told about an endpoint, and what it means. */
export const noticeMeanings = {
  'endpoint.held': 'Deliveries to it wait, because it fails or asked for patience. One tries from time to time; nothing is lost.',
  'endpoint.recovered':
    'It takes deliveries again, and those that waited go out. What had failed for good can be sent again with POST /manage/v1/recoveries.',
  'endpoint.disabled':
    'Nothing is sent to it any more. Activate it when its receiver is well (PATCH /manage/v1/endpoints/ID {"active": true}), then recover what it missed.',
} as const satisfies Record<NoticeKind, string>;

const data = z.object({
  notice_id: z.string(),
  endpoint_id: z.string(),
  url: z.string(),
  message: z.string(),
  created_at: z.iso.datetime(),
});

/** Each kind is an event too: an endpoint of the service `operator` gets them as webhooks, signed and retried like any. */
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
      message: 'The receiver answered 503. Deliveries wait until 2026-11-21T08:53:30.000Z; then one tries.',
      created_at: '2026-11-21T08:53:00.000Z',
    },
    gaps: [],
  }),
);

export function noticeRow(kind: NoticeKind, endpointId: string, message: string, nowMs: number): Row<'notices'> {
  return { id: newId('ntc'), kind, endpoint_id: endpointId, message, created_at: nowMs };
}

/** The events of notices about an endpoint; none about one that gets notices itself, or they would never end. */
export function eventsOf(endpoint: Row<'endpoints'>, notices: readonly Row<'notices'>[]): Row<'events'>[] {
  if (endpoint.service === 'operator') return [];
  return notices.flatMap(({ id, kind, message, created_at }) => {
    const definition = noticeEvents.find(({ type }) => type === kind);
    const told = { notice_id: id, endpoint_id: endpoint.id, url: endpoint.url, message };
    const whole = { ...told, created_at: new Date(created_at).toISOString() };
    return definition ? [eventRow(definition, endpoint.id, whole, created_at)] : [];
  });
}

export interface NoticeFilter {
  endpoint_id?: string | undefined;
  kind?: NoticeKind | undefined;
  cursor?: string | undefined;
  limit: number;
}

export function listNotices(rows: Rows, { endpoint_id, kind, cursor, limit }: NoticeFilter): Promise<Found<'notices'>> {
  const indexed: Where<'notices'>[] = [endpoint_id === undefined ? {} : { endpoint_id }];
  return search(rows, { table: 'notices', key: 'id', where: { endpoint_id, kind }, range: { lt: cursor }, indexed, limit });
}
