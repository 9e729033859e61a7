import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parted, states } from '../../contracts/tools/states/register.ts';
import { type ServiceName, serviceNames } from '../../spec/documents/services.ts';
import { forAll } from '../for-all.ts';

const page = readFileSync(new URL('../../contracts/tools/verification/STATES.md', import.meta.url), 'utf8');

/** The section of a provider, up to the next heading of its level. */
const section = (heading: string) => page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

test.each(serviceNames)('the page of states lists those of %s, what they take and what they return', (provider: ServiceName) => {
  const rows = section(provider)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', params = '', returns = '']) => ({ name: quoted(name)[0], params, returns: quoted(returns) }));
  const known = states[provider].filter(({ event }) => event === undefined);
  expect(rows.map(({ name, returns }) => ({ name, returns }))).toEqual(known.map(({ name, returns }) => ({ name, returns })));
  for (const [index, { name, params }] of known.entries()) {
    const taken = Object.keys((params as unknown as { shape: object }).shape);
    for (const parameter of taken) expect(rows[index]?.params, `${name}: ${parameter}`).toContain(`\`${parameter}\``);
  }
  const events = states[provider].filter(({ event }) => event !== undefined);
  expect(quoted(section(`${provider}, events`))).toEqual(events.map(({ name }) => name));
});

test('any names are joined in any order, own words with joints too; a sentence without a known name stays whole', () => {
  const known = [...states.pos, ...states.cohesion].map(({ name }) => name);
  const words = [...known, 'une caisse and son tiroir', 'Kofi, vendeur'];
  const isKnown = (one: string) => words.includes(one);
  const joints = fc.constantFrom(' and ', '; ', ', ', ',', ' ;  ', ', and ', ' AND ');
  forAll(100, [fc.array(fc.tuple(fc.constantFrom(...words), joints), { minLength: 1, maxLength: 6 })], (parts) => {
    const names = parts.map(([name]) => name);
    const joined = parts.map(([name, joint], at) => (at === 0 ? name : joint + name)).join('');
    expect(parted(joined, isKnown)).toEqual(names);
  });
  forAll(100, [fc.string()], (text) => {
    expect(parted(text, () => false)).toEqual([text]);
  });
  for (const text of ['and '.repeat(100_000), ' '.repeat(100_000), 'no store and '.repeat(1000)])
    expect(parted(text, isKnown)).toEqual([text]);
});
