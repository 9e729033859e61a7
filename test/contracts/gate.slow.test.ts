import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Behaviour, behaviourNamed, behaviours } from '../../spec/documents/behaviours.ts';
import { holdingTests } from '../../spec/documents/held-by-tests.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { isAt, spoils } from './mutants/fields.ts';
import type { Outcome } from './mutants/run.ts';

/** The run takes a minute of CPU; other programs may share the machine. */
const deadlineMs = 3_000_000;

let outcomes: Outcome[] = [];
const changed = () => outcomes.filter(({ mutation }) => !mutation.endsWith(': control'));

beforeAll(async () => {
  const run = join(import.meta.dirname, 'mutants/run.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [run], { maxBuffer: 100_000_000, timeout: deadlineMs });
  outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}, deadlineMs);

type Interaction = Outcome['interactions'][number];

/** Returns true if an interaction notices that a behaviour is lost. A lost field must be named. */
function notices({ problems }: Interaction, { mutation, byState }: Outcome, { field }: Behaviour): boolean {
  const spoiltOnly = Object.keys(spoils).some((name) => mutation.endsWith(`: fields ${name}`));
  return problems.some(
    ({ kind, path }) => (byState || kind !== 'state') && (!spoiltOnly || field === undefined || isAt(path, field)),
  );
}

const claims = ({ holds }: Interaction, id: string) => holds.includes(id);

test('every interaction verifies with the unchanged provider', () => {
  const control = outcomes.filter(({ mutation }) => mutation.endsWith(': control'));
  expect(control).toHaveLength(serviceNames.length);
  const all = control.flatMap(({ interactions }) => interactions);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ problems }) => problems.length > 0)).toEqual([]);
});

test('every mutation is noticed by an interaction that names the lost behaviour', () => {
  const unnoticed = changed().flatMap((outcome) =>
    outcome.breaks
      .map((id) => behaviourNamed(id) as Behaviour)
      .filter((one) => !outcome.interactions.some((found) => claims(found, one.id) && notices(found, outcome, one)))
      .map(({ id }) => `${outcome.mutation}: ${id}`),
  );
  expect(unnoticed).toEqual([]);
});

test('no interaction names a behaviour that it does not hold', () => {
  const named = new Map<string, boolean>();
  for (const outcome of changed())
    for (const found of outcome.interactions)
      for (const id of found.holds.filter((one) => outcome.breaks.includes(one))) {
        const key = `${found.by}: ${id}`;
        named.set(key, named.get(key) === true || found.problems.length > 0);
      }
  expect(named.size).toBeGreaterThan(300);
  expect([...named].filter(([, isHeld]) => !isHeld).map(([key]) => key)).toEqual([]);
});

describe.each(serviceNames)('%s', (provider) => {
  test('every behaviour has a mutation, unless a test holds it', () => {
    const taken = new Set(changed().flatMap(({ breaks }) => breaks));
    const inTests = new Set(holdingTests.map(({ behaviour }) => behaviour));
    expect(behaviours[provider].filter(({ id }) => !taken.has(id) && !inTests.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
