import { expect, test } from 'vitest';
import { type ProbeRun, probe } from '../../index.ts';
import { fileWith } from '../program.ts';
import { call, signIn } from '../stubs/partner.ts';
import { posOf, sell } from './partner.ts';

/** Which gaps the tests here are about, so that each takes few runs. */
const only = ['pos.sale-status', 'pos.error-body', 'pos.sale-response', 'pos.success-envelope'];

async function sellsWith201(context: ProbeRun): Promise<void> {
  const { status } = await sell(context);
  if (status !== 201) throw new Error(`answered ${status}, as a shop with the secret "api_key":"my-own-secret-value" saw`);
}

test('a dependency is named with what the document says, the first difference, and what to write instead', async () => {
  const result = await probe({ apis: 'pos', only, assumptions: false, run: sellsWith201 });
  expect(result.dependencies).toEqual([
    expect.objectContaining({
      standing: 'new',
      reason: 'thrown',
      alternatives: [
        expect.objectContaining({
          id: 'pos.sale-status=200',
          question: 'Which status does POST /sales answer when it succeeds?',
          quote: 'Body and success status: not shown.',
          choice: '201.',
          text: '200.',
          advice: 'Accept every status from 200 to 299 as a success, not 201 only: the service may answer 200.',
        }),
      ],
    }),
  ]);
  const [{ differences } = {}] = result.dependencies[0]?.alternatives ?? [];
  expect(differences).toMatchObject([{ where: 'POST /sales', before: { status: 201 }, after: { status: 200 } }]);
  expect(result.open).toEqual(result.dependencies);
  expect(result.notExercised.map(({ gap }) => gap)).toEqual(['pos.error-body', 'pos.error-body']);
  expect(result.coverage).toBe(77.8);
  expect(result.text).toContain('pos.sale-status=200');
  expect(JSON.stringify(result)).not.toContain('my-own-secret-value');
});

test('a group is asked about by its name, and a harmless change says why it is harmless', async () => {
  const run = async (context: ProbeRun) => {
    const headers = { authorization: `Bearer ${await signIn(posOf(context))}` };
    const text = await (await fetch(`${context.urls.pos}/api/v1/inventory?store_id=STORE-ABJ-01`, { headers })).text();
    return { failed: text.includes('\n') ? ['reads one line'] : [] };
  };
  const { dependencies, exercised, notExercised } = await probe({ apis: 'pos', only: ['harmless'], assumptions: false, run });
  expect([...exercised, ...notExercised].every(({ gap }) => gap.startsWith('harmless.'))).toBe(true);
  expect(dependencies).toMatchObject([{ alternatives: [{ id: 'harmless.whitespace=on' }], failedTests: ['reads one line'] }]);
  expect(dependencies[0]?.alternatives[0].advice).toContain('JSON allows whitespace between all tokens');
});

test('every operation that would answer otherwise is named, since the failing test may call any of them', async () => {
  const run = async ({ env, urls }: ProbeRun) => {
    const read = (path: string) =>
      call({ url: urls.cohesion ?? '' }, 'GET', `/api/v1/${path}`, { token: env.PASSERELLE_COHESION_TOKEN ?? '' });
    await read('interventions');
    const { headers } = await read('indicateurs');
    return headers.get('content-type') === 'application/json; charset=utf-8' ? [] : ['reads indicators as JSON'];
  };
  const only = ['cohesion.reply-charset=none'];
  const { dependencies, text } = await probe({ apis: 'cohesion', only, assumptions: false, run });
  const [{ differences = [], advice = '' } = {}] = dependencies[0]?.alternatives ?? [];
  expect(differences.map(({ where }) => where)).toEqual(['GET /interventions', 'GET /indicateurs']);
  expect(differences.every(({ before, after }) => before?.status === 200 && after?.status === 200)).toBe(true);
  expect(text).toMatch(/differs: GET \/interventions\n[\s\S]*GET \/indicateurs\n/);
  expect(advice).toBe('Do not compare the header content-type with application/json; charset=utf-8: it may be application/json.');
});

/** Reads a field that no document names. */
async function keepsReference(context: ProbeRun): Promise<void> {
  const { body } = await sell(context);
  if (typeof (body.data ?? body).reference !== 'string') throw new Error('no reference');
}

test('what only the owner can answer is a question, and no dependency', async () => {
  const gaps = ['pos.token-transport', 'pos.success-envelope', 'pos'];
  const options = { apis: 'pos', only: gaps, assumptions: false, run: keepsReference } as const;
  const { open, dependencies, questions, text } = await probe(options);
  expect({ open, dependencies }).toEqual({ open: [], dependencies: [] });
  const idsOf = (found: typeof questions) => found.flatMap(({ alternatives }) => alternatives.map(({ id }) => id));
  // One alternative of each gap tells that the answer matters.
  expect(idsOf(questions)).toEqual([
    'pos.payment-reference=sale-id',
    'pos.sale-response=other-names',
    'pos.token-transport=own-header',
  ]);
  const [{ alternatives: [transport] = [] } = {}] = questions.slice(-1);
  expect(transport).toMatchObject({ differences: [{ where: 'POST /sales' }] });
  expect(transport?.advice).toBe("Ask the service's owner: In which header is the token sent?");
  expect(text).toMatch(
    /Questions for the service's owner[\s\S]*~ pos\.token-transport=own-header[\s\S]*In which header is the token sent\?/,
  );
  expect(text).toContain('No dependency that you can remove; 3 questions for the');
});

test('every alternative of a gap that is named is asked about, and an answer is accepted as a dependency is', async () => {
  const entry = { gap: 'pos.sale-response', reason: 'they told us', expiry: '2999-12-31' };
  const assumptions = await fileWith(JSON.stringify({ assumptions: [entry] }));
  const { questions } = await probe({
    apis: 'pos',
    only: ['pos.sale-response'],
    assumptions,
    run: keepsReference,
  });
  expect(questions.map(({ alternatives, standing }) => [alternatives[0]?.alternative, standing])).toEqual([
    ['id-only', 'accepted'],
    ['under-sale', 'accepted'],
    ['other-names', 'accepted'],
  ]);
});

test('a function that fails in its second run cannot be probed', async () => {
  let runs = 0;
  const second = async (context: ProbeRun) => {
    runs += 1;
    await sell(context);
    if (runs === 2) throw new Error('flaky');
  };
  await expect(probe({ apis: 'pos', assumptions: false, run: second })).rejects.toThrow(/the second run failed .* It is flaky/);
});

test('a signal stops a probe', async () => {
  const stop = new AbortController();
  const run = async (context: ProbeRun) => {
    const { status } = await sell(context);
    if (status !== 201) stop.abort(new Error('enough'));
  };
  await expect(probe({ apis: 'pos', only, assumptions: false, signal: stop.signal, run })).rejects.toThrow('enough');
});

test.each([
  [{ apis: 'poss', run() {} }, /apis must be pos or cohesion/],
  [{ apis: [], run() {} }, /apis is empty/],
  [{ apis: 'pos' }, /run must be a function, got undefined/],
  [{ apis: 'pos', run() {}, job: 2 }, /"job" is not an option of probe. Did you mean jobs/],
  [{ apis: 'pos', run() {}, jobs: 0 }, /jobs must be a whole number from 1/],
  [{ apis: 'pos', run() {}, only: ['pos.back-office=in-this-api'] }, /a stub does not play pos.back-office=in-this-api/],
  [undefined, /options must be an object/],
])('wrong options are refused: %o', async (options, message) => {
  await expect(probe(options as never)).rejects.toThrow(message);
});
