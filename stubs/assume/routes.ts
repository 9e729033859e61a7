import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { viewGap } from '../../contracts/gaps/gap.ts';
import { isRecord } from '../../contracts/json.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { StubOperations } from '../types.ts';
import { type Assumed, assumedOf } from './chosen.ts';

const takes = 'must be an object such as {"pos.sale-status": "200"}, or a text such as "pos.sale-status=200,harmless.gzip"';

/** What to write in place of a value of an object that is not text. */
const textFor: Readonly<Record<string, string>> = { harmless: '"all"', 'harmless.': '"on"' };

function notText(gap: string, value: unknown): string {
  const wanted = textFor[/^harmless\b\.?/.exec(gap)?.[0] ?? ''] ?? (typeof value === 'number' ? `"${value}"` : undefined);
  const shown = Array.isArray(value) ? 'a list' : typeof value === 'object' && value !== null ? 'an object' : String(value);
  return wanted === undefined
    ? `must be the id of an alternative as text, not ${shown}`
    : `must be text: ${wanted}, not ${shown}`;
}

/** Alternatives as a body gives them. Each value that is not text is named by its gap. */
const assumed = z.unknown().transform((given, context): Assumed | string => {
  if (typeof given === 'string') return given;
  if (isRecord(given)) {
    const wrong = Object.entries(given).filter(([, value]) => typeof value !== 'string');
    for (const [gap, value] of wrong) context.addIssue({ code: 'custom', path: [gap], message: notText(gap, value) });
    return given as Assumed;
  }
  context.addIssue({ code: 'custom', message: takes });
  return z.NEVER;
});

/** The routes of `/_stub` by which the alternatives of a running stub are read and changed. */
export function assumeRoutes(app: FastifyInstance, { api, assumptions }: StubOperations): void {
  const list = () => ({ data: assumptions.list() });
  app.get('/gaps', async () => ({ data: (await import('./live.ts')).entriesOf(api).map(viewGap) }));
  app.get('/assume', async () => list());
  app.post('/assume', async ({ body }) => {
    await assumptions.add(assumedOf(assumed.parse(body)));
    return list();
  });
  app.put('/assume', async ({ body }) => {
    await assumptions.replace(assumedOf(assumed.parse(body)));
    return list();
  });
  app.delete('/assume', async () => {
    await assumptions.clear();
    return list();
  });
  app.delete<{ Params: { gap: string } }>('/assume/:gap', async ({ params: { gap } }) => {
    const { notAnEntry } = await import('./live.ts');
    const unknown = notAnEntry(api, gap);
    if (unknown !== undefined) throw new Refusal('not_found', 'not_found', unknown);
    if (await assumptions.remove(gap)) return list();
    const active = assumptions.list().map((one) => one.gap);
    const these = active.length > 0 ? `These have one: ${active.join(', ')}.` : 'No gap has one.';
    throw new Refusal('not_found', 'not_found', `${gap} has no active alternative. ${these}`);
  });
}
