import { z } from 'zod';
import { Refusal } from '../../gateway/base/errors.ts';
import type { App } from '../../gateway/http/api.ts';
import { viewGap } from '../../spec/gaps/gap.ts';
import { isRecord } from '../../spec/json.ts';
import type { Assumed, StubOperations } from '../types.ts';
import { assumedOf } from './assumptions.ts';

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
export const assumedBody = z
  .unknown()
  .transform((given, context): Assumed | string => {
    if (typeof given === 'string') return given;
    if (isRecord(given)) {
      const wrong = Object.entries(given).filter(([, value]) => typeof value !== 'string');
      for (const [gap, value] of wrong) context.addIssue({ code: 'custom', path: [gap], message: notText(gap, value) });
      return given as Assumed;
    }
    context.addIssue({ code: 'custom', message: takes });
    return z.NEVER;
  })
  .meta({
    type: ['object', 'string'],
    description: 'By gap, or a text such as "pos.sale-status=200,harmless.gzip". `/_stub/gaps` lists gaps and alternatives.',
    additionalProperties: { type: 'string', description: 'The id of an alternative. Its name is the id of a gap.' },
  });

/** The routes of `/_stub` by which the alternatives of a running stub are read and changed. */
export function assumeRoutes(app: App, stub: StubOperations): void {
  const list = () => ({ data: stub.assumptions.list() });
  const gaps =
    'The entries of the gap register of this API, and the harmless changes, with their alternatives and whether a stub plays them';
  app.get('/gaps', { schema: { summary: gaps } }, async () => ({
    data: (await import('./live.ts')).entriesOf(stub.api).map(viewGap),
  }));
  app.get('/assume', { schema: { summary: 'The active alternatives of the gap register' } }, async () => list());
  const addition =
    'Make alternatives active too: {"pos.sale-status": "200"}, {"harmless.gzip": "on"}, {"harmless": "all"}. A gap that has another one gets the new one';
  app.post('/assume', { schema: { summary: addition, body: assumedBody } }, async (request) => {
    await stub.assumptions.add(assumedOf(request.body));
    return list();
  });
  app.put(
    '/assume',
    { schema: { summary: 'Make exactly these alternatives active; {} for none', body: assumedBody } },
    async (request) => {
      await stub.assumptions.replace(assumedOf(request.body));
      return list();
    },
  );
  app.delete('/assume', { schema: { summary: 'End all alternatives' } }, async () => {
    await stub.assumptions.clear();
    return list();
  });
  const end = { summary: 'End the alternative of one gap', params: z.object({ gap: z.string() }) };
  app.delete('/assume/:gap', { schema: end }, async ({ params: { gap } }) => {
    const { notAnEntry } = await import('./live.ts');
    const unknown = notAnEntry(stub.api, gap);
    if (unknown !== undefined) throw new Refusal('not_found', 'not_found', unknown);
    if (await stub.assumptions.remove(gap)) return list();
    const active = stub.assumptions.list().map((one) => one.gap);
    const these = active.length > 0 ? `These have one: ${active.join(', ')}.` : 'No gap has one.';
    throw new Refusal('not_found', 'not_found', `${gap} has no active alternative. ${these}`);
  });
}
