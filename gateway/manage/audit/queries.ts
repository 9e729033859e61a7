import { encodings } from '../../base/text.ts';
import type { Rows, Where } from '../../store/port.ts';
import { type Found, idsIn, type Period, search } from '../../store/search.ts';

export interface AuditFilter extends Period {
  operator?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  ok?: boolean | undefined;
  /** Text in the target or in what changed. */
  q?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Entries of the audit trail, newest first. */
export function listAudit(rows: Rows, filter: AuditFilter): Promise<Found<'audit'>> {
  const { operator, action, target, ok, q, limit } = filter;
  const where: Where<'audit'> = { operator, action, target, ok };
  const indexed: Where<'audit'>[] = [{ target }, { action }, { operator }].filter((part) => Object.values(part)[0] !== undefined);
  const withText = encodings(q ?? '').flatMap((text) => [{ target: { contains: text } }, { changes: { contains: text } }]);
  return search(rows, {
    table: 'audit',
    key: 'id',
    where,
    range: idsIn('aud', filter),
    indexed,
    limit,
    ...(q ? { anyOf: withText } : {}),
  });
}
