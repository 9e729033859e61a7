import type { Row } from '../../../store/tables/index.ts';
import type { Change } from '../../../webhooks/outbox/change.ts';
import { readStats } from '../calls/stats.ts';
import { reportReady } from '../events.ts';

/** Stores a report with the year's statistics of this moment (gap cohesion.rapport-ready-condition). */
export async function produceReport(change: Change, input: { annee: number; titre?: string }): Promise<Row<'reports'>> {
  const { tx, now } = change;
  const titre = input.titre ?? `Rapport annuel ${input.annee}`;
  const content = await readStats(tx, input.annee);
  const [stored] = await tx.insert('reports', [{ annee: input.annee, titre, format: 'json', content, created_at: now }]);
  const report = stored as Row<'reports'>;
  change.emit(reportReady, {
    subject: null,
    data: { rapport_id: report.id, annee: input.annee, titre, format: 'json' },
  });
  return report;
}
