// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { causeCases } from '../../../gateway/base/causes/cause.ts';
import { causesEn } from '../../../gateway/base/causes/en.ts';
import { causesFr } from '../../../gateway/base/causes/fr.ts';
import * as fr from '../../../gateway/console/page/texts/fr/index.ts';
import { verdictTexts } from '../../../gateway/manage/figures/verdict.ts';
import { nextAttemptTexts } from '../../../gateway/webhooks/model/next-attempt.ts';
import { comparisonTexts } from '../../../gateway/webhooks/operator/diagnose.ts';
import { mistakes } from '../../../receivers/doctor/mistakes.ts';

type Templates = Readonly<Record<string, string>>;
type French = Readonly<Record<string, (values: Templates) => string>>;

const named: readonly [name: string, english: Templates, french: French][] = [
  ['the verdict', verdictTexts, fr.server.verdict],
  ['why the next attempt is made when it is', nextAttemptTexts, fr.server.nextAttempts],
  ['the comparisons of a diagnosis', comparisonTexts, fr.server.diagnosis.comparisons],
];

/** The values in a text's template, in the order of their names. */
const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([value]) => value).sort();

describe('what the gateway composes can be said in French', () => {
  test.each(named)('%s: every case, with every value of the English text', (_, english, french) => {
    const said = Object.entries(french).map(([name, say]) => {
      const values = Object.fromEntries(valuesOf(english[name] ?? '').map((value) => [value.slice(1, -1), value]));
      return [name, valuesOf(say(values))];
    });
    const expected = Object.entries(english).map(([name, text]) => [name, valuesOf(text)]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
  });

  test('every cause, with every value of the English sentence', () => {
    for (const name of causeCases)
      expect([name, valuesOf(causesFr.sentences[name])]).toEqual([name, valuesOf(causesEn.sentences[name])]);
  });

  test('every mistake of a receiver, and nothing else', () => {
    expect(Object.keys(fr.server.diagnosis.mistakes).sort()).toEqual(Object.keys(mistakes).sort());
  });
});

describe('a sentence of the verdict', () => {
  let say: (statement: { name: string; shown?: object; raw?: object }) => unknown;
  beforeAll(async () => {
    vi.resetModules();
    vi.stubGlobal('navigator', { languages: ['fr-FR'] });
    vi.stubGlobal('localStorage', { getItem: () => null });
    await (await import('../../../gateway/console/page/texts/index.ts')).loadTexts();
    const { Statement } = await import('../../../gateway/console/page/pages/overview/statement.tsx');
    say = ({ name, shown = {}, raw = {} }) =>
      Statement({ of: { case: name as 'late', text: 'in English', values: { ...shown }, raw: { ...raw } } });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test('has the numbers, the period, the durations and the reasons of its language', () => {
    expect(
      say({
        name: 'dead_letters',
        shown: { count: '10,000+', period: 'in the last hour' },
        raw: { count: 10_000, period: 'hour' },
      }),
    ).toMatch(/^10\s000\+ livraisons ont définitivement échoué pendant la dernière heure\.$/);
    const slow = { endpoint: 'shop.example/hook', median: '1.2 s', waiting: '12' };
    expect(say({ name: 'behind', shown: slow, raw: { ...slow, median: 1234, waiting: 12 } })).toMatch(
      /la moitié de ses tentatives durent 1,2 s ou plus\..*: 12\.$/,
    );
    const many = { count: '2', endpoints: 'shop.example/hook, till.example/hook', reason: 'answered 503' };
    expect(say({ name: 'held_many', shown: many, raw: { ...many, count: 2, reason: 503 } })).toContain('(réponse 503)');
  });

  test('is in English if its case is not known, and a reason that is not known is another error', () => {
    expect(say({ name: 'unheard_of' })).toMatchObject({ props: { children: 'in English' } });
    const many = { count: '2', endpoints: 'shop.example/hook, till.example/hook', reason: 'struck by lightning' };
    expect(say({ name: 'held_many', shown: many, raw: { ...many, reason: 'lightning' } })).toContain('(autre erreur)');
  });

  test('a deadline that passed is said in the language of the viewer', async () => {
    const { AttemptError } = await import('../../../gateway/console/page/parts/delivery/attempt-error.tsx');
    const of = { outcome: 'timeout', error: 'The deadline of 1500 ms passed.', response_status: null };
    expect(AttemptError({ of })).toBe(fr.server.reasons.timeout?.meaning);
  });
});
