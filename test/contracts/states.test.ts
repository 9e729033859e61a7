import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ServiceName, serviceNames } from '../../contracts/documents/services.ts';
import { states } from '../../contracts/tools/states/register.ts';

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
