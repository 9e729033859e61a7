import { newId } from '../ids.ts';
import type { Row } from '../store/tables.ts';

/** What an operator is told about an endpoint, and what it means. */
export const noticeKinds = {
  'endpoint.held': 'Deliveries to it wait, because it fails or asked for patience. One tries from time to time; nothing is lost.',
  'endpoint.recovered': 'It takes deliveries again; those that waited go out.',
  'endpoint.disabled': 'Nothing is sent to it any more. Activate it when its receiver is well, then recover what it missed.',
} as const;

export type NoticeKind = keyof typeof noticeKinds;

export function noticeRow(kind: NoticeKind, endpointId: string, message: string, nowMs: number): Row<'notices'> {
  return { id: newId('ntc'), kind, endpoint_id: endpointId, message, created_at: nowMs };
}
