import { newId } from '../ids.ts';
import type { Rows, Where } from '../store/port.ts';
import type { Row } from '../store/tables.ts';
import { type Found, search } from './search.ts';

/** What an operator should know of an endpoint, each kind with what can be done about it. */
export const noticeKinds = {
  'endpoint.held':
    'Nothing is sent to the endpoint for a while, after which one attempt tries whether it is well again; look into the errors of its last attempts.',
  'endpoint.recovered':
    'The endpoint takes deliveries again and what waited is on its way; what had failed for good can be sent again with POST /manage/v1/recoveries.',
  'endpoint.disabled':
    'The endpoint gets nothing until it is activated again with PATCH /manage/v1/endpoints/ID {"active": true}; what it misses meanwhile is in the ledger as skipped.',
} as const;

export type NoticeKind = keyof typeof noticeKinds;
export const noticeKindNames = Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]];

export const noticeRow = (kind: NoticeKind, endpointId: string, message: string, now: number): Row<'notices'> => ({
  id: newId('ntc'),
  kind,
  endpoint_id: endpointId,
  message,
  created_at: now,
});

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
