// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { describe, expect, test } from 'vitest';
import { causeCases } from '../../../gateway/base/causes/cause.ts';
import { causesEn } from '../../../gateway/base/causes/en.ts';
import { causesFr } from '../../../gateway/base/causes/fr.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';
import * as fr from '../../../gateway/console/profile/texts/fr/index.ts';
import { nextAttemptTexts } from '../../../gateway/webhooks/model/next-attempt.ts';
import { comparisonTexts } from '../../../gateway/webhooks/operator/diagnose.ts';
import { mistakes } from '../../../receivers/doctor/mistakes.ts';

type Templates = Readonly<Record<string, string>>;
type French = Readonly<Record<string, (values: Templates) => string>>;

const named: readonly [name: string, english: Templates, french: French][] = [
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

test('a deadline that passed is said in the language of the viewer', async () => {
  // Loaded after the texts, which it reads when it is loaded.
  setSharedTexts(fr);
  const { AttemptError } = await import('../../../gateway/console/page/parts/delivery/attempt-error.tsx');
  const of = { outcome: 'timeout', error: 'The deadline of 1500 ms passed.', response_status: null };
  expect(AttemptError({ of })).toBe(fr.server.reasons.timeout?.meaning);
});
