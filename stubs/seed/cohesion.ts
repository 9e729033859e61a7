import type { z } from 'zod';
import { indicatorRow, interventionRow, structureRow, tokenRow } from '../../gateway/api/cohesion/domain/rows.ts';
import type { Services } from '../../gateway/http/api.ts';
import { demoTokens, tokenSecretOf } from '../../gateway/start/demo.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { FinancingValues } from '../../spec/gaps/is/cohesion.ts';
import type { CohesionCredentials } from '../credentials.ts';
import { type cohesionFixtures, cohesionFixturesWith, numbered, usersOf } from './cohesion-shapes.ts';
import { storeEvents } from './events.ts';
import { readFixtures } from './fields.ts';

type Fixtures = z.output<typeof cohesionFixtures>;
type Tokens = NonNullable<Fixtures['tokens']>;

/** Stores fixtures, in which financings may have these words. Returns the credentials of the tokens, in their order. */
export async function seedCohesionFixtures(
  { change, keys }: Pick<Services, 'change' | 'keys'>,
  given: unknown,
  words: readonly FinancingValues[],
): Promise<CohesionCredentials['tokens']> {
  const fixtures = readFixtures(cohesionFixturesWith(words), given);
  const usual: Tokens = demoTokens.map(({ name, abilities }) => ({
    name,
    user_id: usersOf(fixtures)[0]?.id ?? 1,
    structures: null,
    abilities,
  }));
  const tokens = identified(fixtures.tokens ?? usual, keys);
  await change(async (step) => {
    await storeRows(step, fixtures);
    await storeEvents(step, 'cohesion', fixtures.events);
    await step.tx.append(
      'tokens',
      tokens.map(({ token: _, structures: structure_ids, ...one }) => tokenRow({ ...one, structure_ids }, step.now)),
    );
  });
  const perimeters = new Map(usersOf(fixtures).map(({ id, structure_ids }) => [id, structure_ids]));
  return tokens.map(({ id, name, secret, user_id, abilities, structures }) => {
    // A token's perimeter never exceeds its user's.
    const within = perimeters.get(user_id) ?? numbered(fixtures.structures).map((one) => one.id);
    const allowed = structures?.filter((one) => within.includes(one)) ?? within;
    return { owner: `user:${user_id}` as const, name, token: `${id}|${secret}`, abilities, structures: allowed };
  });
}

/** A token is its id and a secret. Those that fixtures leave out are the same at each start. */
function identified(tokens: Tokens, keys: Services['keys']) {
  const given = tokens.map(({ token }) => token?.split('|'));
  const taken = new Set(given.map((parts) => Number(parts?.[0])));
  return tokens.map((one, at) => {
    const name = one.name ?? `token ${at + 1}`;
    let free = 1001 + at;
    while (taken.has(free)) free += tokens.length;
    const [id, secret] = given[at] ?? [String(free), tokenSecretOf(keys, name)];
    return { ...one, name, id: Number(id), secret: secret ?? '' };
  });
}

async function storeRows({ tx, now }: Change, fixtures: Fixtures): Promise<void> {
  await tx.append(
    'plans',
    fixtures.plans.map((one) => ({ ...one, closed_at: one.statut === 'closed' ? now : null, created_at: now })),
  );
  const structures = numbered(fixtures.structures);
  const users = usersOf(fixtures);
  const regionOf = (id: number) => structures.find((one) => one.id === id)?.region ?? '';
  await tx.append(
    'users',
    users.map(({ structure_ids, ...one }) => ({
      ...one,
      created_at: now,
      structure_ids: structure_ids && [...new Set(structure_ids)],
    })),
  );
  await tx.append(
    'structures',
    structures.map((one) => structureRow(one, now)),
  );
  await tx.append(
    'indicators',
    numbered(fixtures.indicators).map((one) => indicatorRow(one, now)),
  );
  await tx.append(
    'interventions',
    numbered(fixtures.interventions).map(({ budget, region, validated_by: by, ...one }) => {
      const validated_by = by === undefined && one.statut === 'approuve' ? users[0]?.id : by;
      const columns = { region: region || regionOf(one.structure_id), budget: budget === null ? null : String(budget) };
      return interventionRow({ ...one, ...columns, validated_by: validated_by ?? null }, now);
    }),
  );
  await tx.append(
    'financings',
    numbered(fixtures.financings).map((one) => ({ ...one, montant: String(one.montant), created_at: now, updated_at: now })),
  );
}
