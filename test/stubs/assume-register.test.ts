import { expect, test } from 'vitest';
import { serviceNames } from '../../contracts/documents/services.ts';
import { gaps } from '../../contracts/register/gaps.ts';
import { notPlayed } from '../../contracts/register/not-played.ts';
import { alternatives } from '../../contracts/tools/assumptions/alternatives.ts';
import { assumedText } from '../../stubs/assume/chosen.ts';
import { cohesionVariants } from '../../stubs/assume/cohesion.ts';
import { contradictions } from '../../stubs/assume/contradictions.ts';
import { liveOf, playable } from '../../stubs/assume/live.ts';
import { posVariants } from '../../stubs/assume/pos.ts';
import { transportVariants } from '../../stubs/assume/transport.ts';

const all = gaps.flatMap(({ api, id, alternatives: own }) =>
  own.map((one) => ({ api, gap: id, id: one.id, name: assumedText(id, one.id) })),
);
const variants = { ...posVariants, ...cohesionVariants, ...transportVariants('pos'), ...transportVariants('cohesion') };

test('each alternative is played, or has a reason of one sentence why not', () => {
  const without = all.filter(({ api, gap, id, name }) => {
    const isPlayed = name in variants || alternatives[api].some((one) => one.gap === gap && one.id === id && !one.pretends);
    return !isPlayed && !(name in notPlayed);
  });
  expect(without.map(({ name }) => name)).toEqual([]);
  for (const reason of Object.values(notPlayed)) expect(reason).toMatch(/^[A-Z/][^.]*(\.[a-z/][^.]*)*\.$/);
});

test('variants, reasons and contradictions name alternatives of the register, and no alternative is both played and not', () => {
  const names = new Set(all.map(({ name }) => name));
  const named = [
    ...Object.keys(variants),
    ...Object.keys(notPlayed),
    ...contradictions.flatMap(({ one, other }) => [one, other]),
  ];
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(variants).filter((name) => name in notPlayed)).toEqual([]);
  for (const { one, other } of contradictions) expect([one, other].filter((name) => name in notPlayed)).toEqual([]);
});

/** These numbers may only fall. */
test('how many alternatives, and how many entries of the register, a stub plays nothing of', () => {
  expect(Object.keys(notPlayed)).toHaveLength(26);
  const silent = gaps.filter(({ id, alternatives: own }) => own.every((one) => assumedText(id, one.id) in notPlayed));
  expect(silent).toHaveLength(14);
});

test.each(serviceNames)('each alternative of %s that is played can be active alone', (api) => {
  for (const name of playable(api)) {
    const [gap = '', id = ''] = name.split('=');
    expect(liveOf(api, { [gap]: id }).list).toMatchObject([{ gap, alternative: id }]);
  }
});
