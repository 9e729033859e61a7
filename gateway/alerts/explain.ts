import type { Cause } from '../base/causes/cause.ts';
import { causeOfFailure, countWaiting, lastingCause } from '../figures/cause.ts';
import { lastFailures } from '../figures/endpoints.ts';
import type { Rows } from '../store/port.ts';
import type { AlertRuleName } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import type { Finding } from './measures.ts';

const explained: ReadonlySet<string> = new Set(['endpoint_failing', 'endpoint_held', 'dead_letters'] satisfies AlertRuleName[]);

/** Adds the cause to findings about endpoints. Reads attempts and deliveries, so it is done for new alerts only. */
export async function explain(rows: Rows, findings: readonly Finding[]): Promise<Finding[]> {
  const wanted = new Set(findings.flatMap(({ subject, detail }) => (explained.has(detail.case) ? [subject] : [])));
  if (wanted.size === 0) return [...findings];
  const endpoints = await rows.list('endpoints', { where: { id: { in: [...wanted] } } });
  const causes = new Map(
    await Promise.all(endpoints.map(async (endpoint) => [endpoint.id, await causeOf(rows, endpoint)] as const)),
  );
  return findings.map((finding) => {
    const cause = wanted.has(finding.subject) ? causes.get(finding.subject) : undefined;
    return cause ? { ...finding, detail: { ...finding.detail, cause } } : finding;
  });
}

async function causeOf(rows: Rows, endpoint: Row<'endpoints'>): Promise<Cause | null> {
  const [waiting, [last]] = await Promise.all([countWaiting(rows, endpoint.id), lastFailures(rows, [endpoint.id], 1)]);
  return lastingCause(endpoint, waiting) ?? (last ? causeOfFailure(endpoint, last) : null);
}
