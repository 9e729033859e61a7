import { expect, test } from 'vitest';
import { adviceFor } from '../../contracts/tools/probe/advice.ts';
import { type ProbeRun, probe } from '../../index.ts';
import { call } from '../stubs/partner.ts';

const read = ({ env, urls }: ProbeRun, path: string) =>
  call({ url: urls.cohesion ?? '' }, 'GET', `/api/v1/${path}`, { token: env.PASSERELLE_COHESION_TOKEN ?? '' });

/** Two tests: only the second one depends on the exact type of a reply. */
async function dashboard(context: ProbeRun): Promise<string[]> {
  const interventions = await read(context, 'interventions');
  const { headers } = await read(context, 'indicateurs');
  const isExact = headers.get('content-type') === 'application/json; charset=utf-8';
  return [...(interventions.status === 200 ? [] : ['lists interventions']), ...(isExact ? [] : ['reads indicators as JSON'])];
}

test('every operation that answered otherwise is named, since the failing test may call any of them', async () => {
  const only = ['cohesion.reply-charset=none'];
  const { dependencies, text } = await probe({ apis: 'cohesion', only, assumptions: false, run: dashboard });
  const [{ differences = [], advice = '' } = {}] = dependencies[0]?.alternatives ?? [];
  expect(differences.map(({ where }) => where)).toEqual(['GET /interventions', 'GET /indicateurs']);
  expect(differences.every(({ before, after }) => before?.status === 200 && after?.status === 200)).toBe(true);
  expect(text).toMatch(/differs: GET \/interventions\n[\s\S]*GET \/indicateurs\n/);
  expect(advice).toMatch(/other media types than application\/json/);
});

const row = (id: number, used: string) => ({ id, name: `n${id}`, used });

test.each([
  [
    'the same rows in another order: about the order only, also if times or counts in the rows differ',
    { data: [row(1, '2026-01-01T00:00:00Z'), row(2, '2026-01-01T00:00:01Z')] },
    { data: [row(2, '2026-02-01T00:00:09Z'), row(1, '2026-02-01T00:00:08Z')] },
    'Do not rely on the order of `data`: sort it, or look rows up by their ids.',
  ],
  [
    'a page with other rows: about the order and the choice of rows',
    { data: [{ id: 1 }, { id: 2 }], meta: { total: 4 } },
    { data: [{ id: 4 }, { id: 3 }], meta: { total: 4 } },
    'Do not rely on the order of `data`, nor on which rows one page has: look rows up by their ids, on all pages.',
  ],
  [
    'rows of the same order: compared with each other',
    { data: [{ id: 1, count: 3 }] },
    { data: [{ id: 1, count: 4 }] },
    'Do not compare `data[].count` with an exact number: the service may count it otherwise, or in another unit.',
  ],
])('advice on %s', (_, before, after, advice) => {
  const reply = (body: unknown) => ({ status: 200, headers: {}, body });
  expect(adviceFor({ where: 'GET /indicateurs', before: reply(before), after: reply(after) })).toBe(advice);
});
