import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type ProbeRun, probe } from '../../index.ts';
import { fileWith } from '../program.ts';
import { signIn } from '../stubs/partner.ts';
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

test('code that relies on no choice has no dependency', async () => {
  const run = async (context: ProbeRun) => {
    const { status } = await sell(context);
    return { failed: status < 300 ? [] : ['sells for cash'] };
  };
  const result = await probe({ apis: ['pos'], only, assumptions: false, jobs: 2, run });
  expect({ dependencies: result.dependencies, open: result.open }).toEqual({ dependencies: [], open: [] });
  // Plain runs, four groups, since a gap has four alternatives, and the sets in which others meet.
  expect(result.runs).toBeLessThanOrEqual(3 + 4 + 8);
  expect(result.pairs.met).toBe(result.pairs.all);
  expect(result.text).toMatch(/All \d+ pairs of them were tried together/);
});

test('a group is asked about by its name, and a harmless change is shown with both texts', async () => {
  const run = async (context: ProbeRun) => {
    const headers = { authorization: `Bearer ${await signIn(posOf(context))}` };
    const text = await (await fetch(`${context.urls.pos}/api/v1/inventory?store_id=STORE-ABJ-01`, { headers })).text();
    return { failed: text.includes('\n') ? ['reads one line'] : [] };
  };
  const { dependencies, exercised, notExercised } = await probe({ apis: 'pos', only: ['harmless'], assumptions: false, run });
  expect([...exercised, ...notExercised].every(({ gap }) => gap.startsWith('harmless.'))).toBe(true);
  expect(dependencies).toMatchObject([{ alternatives: [{ id: 'harmless.whitespace=on' }], failedTests: ['reads one line'] }]);
  const { before, after } = dependencies[0]?.alternatives[0]?.differences[0] ?? {};
  expect(before?.body).toEqual(expect.not.stringContaining('\n'));
  expect(after?.body).toEqual(expect.stringContaining('\n'));
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
  const { questions, noLongerNeeded } = await probe({
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
  expect(noLongerNeeded).toEqual([]);
});

test('a run that does not end counts as a failure', async () => {
  const run = async (context: ProbeRun) => {
    const { status } = await sell(context);
    if (status !== 201)
      await new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
  };
  const { dependencies } = await probe({ apis: 'pos', only: ['pos.sale-status'], assumptions: false, timeoutMs: 30_000, run });
  expect(dependencies).toMatchObject([
    {
      reason: expect.stringMatching(/^stopped after \d{2,}(\.\d)? s$/),
      alternatives: [{ id: 'pos.sale-status=200' }],
    },
  ]);
});

test('a function that fails in its second run cannot be probed', async () => {
  let runs = 0;
  const second = async (context: ProbeRun) => {
    runs += 1;
    await sell(context);
    if (runs === 2) throw new Error('flaky');
  };
  await expect(probe({ apis: 'pos', assumptions: false, run: second })).rejects.toThrow('The second run');
});

test('a test of node:test probes a function', async () => {
  const index = new URL('../../index.ts', import.meta.url).href;
  const file = await fileWith(
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probe } from '${index}';
test('the till relies on no choice', async () => {
  const run = async ({ urls }) => assert.ok((await fetch(urls.pos + '/api/v1/inventory')).status >= 400);
  const { open, runs } = await probe({ apis: 'pos', only: ['pos.error-body'], assumptions: false, run });
  assert.deepEqual(open, []);
  assert.ok(runs > 2);
});`,
    'till.test.ts',
  );
  const { stdout, status } = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('✔ the till relies on no choice') });
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
