import { expect, test } from 'vitest';
import type { Observed } from '../../../contracts/tools/observed/file.ts';
import { Observation } from '../../../contracts/tools/observed/observation.ts';
import { observedOf, type Sent, webhookOf } from './samples.ts';

const digits = { 'x-service-signature': `sha256=${'ab'.repeat(32)}` };
const fitting: Sent = { keyedWith: 'secret', headers: digits };
const misfit: Sent = { keyedWith: 'another', headers: { ...digits, 'webhook-id': 'evt-9' } };
const sawIn = ({ contradictions }: Observed) => contradictions.map(({ saw }) => saw);
const doesNotFit = expect.stringContaining('does not fit its body');
const standardOf = ({ entries }: Observed) => entries.find(({ gap }) => gap === 'cohesion.webhook-standard-headers')?.verdict;

test('if no signature of a run fits, the secret is wrong: no contradiction, and the rest of the webhooks is judged', () => {
  const wrong = new Observation('cohesion', 'https://sandbox.example');
  expect(wrong.isSecretWrong).toBe(false);
  expect(wrong.addWebhook(webhookOf('cohesion', misfit)).map(({ gap }) => gap)).toContain('cohesion.signature-hex');
  wrong.addWebhook(webhookOf('cohesion', { ...misfit, seconds: 1 }));
  expect(wrong.isSecretWrong).toBe(true);
  const file = wrong.observed;
  expect(sawIn(file)).toEqual([]);
  expect(standardOf(file)).not.toBe('not-seen');
  const right = new Observation('cohesion', 'https://sandbox.example', file);
  right.addWebhook(webhookOf('cohesion', fitting));
  expect(right.isSecretWrong).toBe(false);
  expect(sawIn(right.observed)).toEqual([]);
});

test.each<[what: string, sent: Sent[]]>([
  ['before', [misfit, misfit, misfit, misfit, fitting]],
  ['after', [fitting, misfit, misfit, misfit, misfit]],
])('a signature that does not fit %s one that does contradicts the document, and shows nothing else', (_what, sent) => {
  const seen = new Observation('cohesion', 'https://sandbox.example');
  sent.forEach((one, at) => {
    seen.addWebhook(webhookOf('cohesion', one));
    // The file is written after each webhook.
    expect(seen.observed.webhooks).toBe(at + 1);
  });
  const file = seen.observed;
  expect(file.contradictions).toMatchObject([{ section: '6. Events', saw: doesNotFit, times: 4 }]);
  const [contradicted] = file.contradictions;
  expect(contradicted?.calls).toHaveLength(3);
  expect(Object.keys(file.evidence)).toEqual(expect.arrayContaining(contradicted?.calls ?? []));
  expect(seen.isSecretWrong).toBe(false);
  // The misfits have one of the headers of Standard Webhooks, and the fitting one has none.
  const standard = file.entries.find(({ gap }) => gap === 'cohesion.webhook-standard-headers');
  expect(standard).toMatchObject({ verdict: 'refuted', alternatives: ['none'] });
});

test('a webhook without a signature or without JSON contradicts the document that shows them', () => {
  const [noSignature, noJson] = ['a webhook has no such header', 'the body of a webhook is neither an object nor a list in JSON'];
  expect(sawIn(observedOf('cohesion', { headers: {} }))).toContain(noSignature);
  expect(sawIn(observedOf('cohesion', { headers: {}, body: { event: 'club.founded' } }))).toEqual([noSignature]);
  expect(sawIn(observedOf('cohesion', { ...fitting, body: 'not json' }))).toEqual([noJson]);
  expect(sawIn(observedOf('cohesion', { headers: {}, body: undefined }))).toEqual([noSignature, noJson]);
  // The document of point of sale shows only the names of events.
  expect(sawIn(observedOf('pos', { headers: {}, body: 'not json' }))).toEqual([]);
});
