import { expect, test } from 'vitest';
import { serviceNames } from '../../contracts/documents/services.ts';
import { gaps } from '../../contracts/gaps/gaps.ts';
import { cohesionVariants } from '../../stubs/assume/cohesion.ts';
import { liveOf, policies } from '../../stubs/assume/live.ts';
import { posVariants } from '../../stubs/assume/pos.ts';
import { webhookPolicies } from '../../stubs/policies/webhooks.ts';
import { everyAlternative, notPlayed } from '../alternative-sets.ts';
import { playable } from './playable.ts';

const ofWebhooks = Object.entries(webhookPolicies).filter(([name]) => !name.startsWith('harmless.'));
const variants = {
  ...posVariants,
  ...cohesionVariants,
  ...policies.pos,
  ...policies.cohesion,
  ...Object.fromEntries(ofWebhooks),
};
const sentence = /^[A-Z/][^.]*(\.[a-z/][^.]*)*\.$/;

test('each alternative is played, or has a reason of one sentence why not', () => {
  const wrong = everyAlternative.filter(({ name, is, notPlayed: reason }) => {
    const isPlayed = name in variants || is !== undefined;
    return reason === undefined ? !isPlayed : isPlayed || !sentence.test(reason);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('variants, and what an alternative excludes, name alternatives that are played', () => {
  const played = everyAlternative.flatMap(({ name }) => (notPlayed.includes(name) ? [] : name));
  const named = [...Object.keys(variants), ...everyAlternative.flatMap(({ excludes = {} }) => Object.keys(excludes))];
  expect(named.filter((name) => !played.includes(name))).toEqual([]);
});

/** These numbers may only fall. */
test('how many alternatives, and how many entries of the register, a stub plays nothing of', () => {
  expect(notPlayed.length).toBeLessThanOrEqual(61);
  const silent = gaps.filter(({ alternatives: own }) => own.every((one) => one.notPlayed !== undefined));
  expect(silent.length).toBeLessThanOrEqual(26);
});

test.each(serviceNames)('each alternative of %s that is played can be active alone', (api) => {
  for (const name of playable(api)) {
    const [gap = '', id = ''] = name.split('=');
    expect(liveOf(api, { [gap]: id }).list).toMatchObject([{ gap, alternative: id }]);
  }
});
