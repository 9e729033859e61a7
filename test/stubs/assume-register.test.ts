import { expect, test } from 'vitest';
import { gaps } from '../../spec/gaps/gaps.ts';
import { policies } from '../../stubs/assume/live.ts';
import { webhookPolicies } from '../../stubs/policies/webhooks.ts';
import { everyAlternative, notPlayed } from '../alternative-sets.ts';

const ofWebhooks = Object.keys(webhookPolicies).filter((name) => !name.startsWith('harmless.'));
const named = [...Object.keys({ ...policies.pos, ...policies.cohesion }), ...ofWebhooks];
const sentence = /^[A-Z/][^.]*(\.[a-z/][^.]*)*\.$/;

test('each alternative is played, or has a reason of one sentence why not', () => {
  const wrong = everyAlternative.filter(({ name, is, notPlayed: reason }) => {
    const isPolicy = named.includes(name);
    return reason === undefined ? !isPolicy && is === undefined : isPolicy || !sentence.test(reason);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('policies, and what an alternative excludes, name alternatives that are played', () => {
  const played = everyAlternative.flatMap(({ name }) => (notPlayed.includes(name) ? [] : name));
  const excluded = everyAlternative.flatMap(({ excludes = {} }) => Object.keys(excludes));
  expect([...named, ...excluded].filter((name) => !played.includes(name))).toEqual([]);
});

/** These numbers may only fall. */
test('how many alternatives, and how many entries of the register, a stub plays nothing of', () => {
  expect(notPlayed.length).toBeLessThanOrEqual(72);
  const silent = gaps.filter(({ alternatives: own }) => own.every((one) => one.notPlayed !== undefined));
  expect(silent.length).toBeLessThanOrEqual(29);
});
