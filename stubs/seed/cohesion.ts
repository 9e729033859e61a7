import type { z } from 'zod';
import { alertStateOf } from '../../gateway/api/cohesion/domain/attainment.ts';
import { hashSecret } from '../../gateway/base/keyring.ts';
import { fold } from '../../gateway/base/text.ts';
import type { Services } from '../../gateway/http/api.ts';
import { demoTokens, tokenSecretOf } from '../../gateway/start/demo.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { CohesionCredentials } from '../credentials.ts';
import { cohesionFixtures, numbered, usersOf } from './cohesion-shapes.ts';
import { readFixtures } from './fields.ts';

type Fixtures = z.output<typeof cohesionFixtures>;
type Tokens = NonNullable<Fixtures['tokens']>;

/** Stores fixtures. Returns the credentials of the tokens, in their order. */
export async function seedCohesionFixtures(
  { change, keys }: Pick<Services, 'change' | 'keys'>,
  given: unknown,
): Promise<CohesionCredentials['tokens']> {
  const fixtures = readFixtures(cohesionFixtures, given);
  const usual: Tokens = demoTokens.map(({ name, abilities }) => ({
    ...{ name, user_id: usersOf(fixtures)[0]?.id ?? 1, structures: null, abilities },
  }));
  const tokens = (fixtures.tokens ?? usual).map((one, at) => identified(one, at, keys));
  await change(async (step) => {
    await storeRows(step, fixtures);
    await step.tx.append(
      'tokens',
      tokens.map(({ id, name, secret, user_id, abilities, structures }) => ({
        ...{ id, name, user_id, abilities, token_hash: hashSecret(secret), structure_ids: structures, created_at: step.now },
        ...{ last_used_at: null, last_used_ip: null, expires_at: null, revoked_at: null },
      })),
    );
  });
  return tokens.map(({ id, name, secret, abilities, structures }) => ({
    ...{ name, token: `${id}|${secret}`, abilities },
    structures: structures ?? numbered(fixtures.structures).map((one) => one.id),
  }));
}

/** A token is its id and a secret. Secrets that fixtures leave out are the same at each start. */
function identified(one: Tokens[number], at: number, keys: Services['keys']) {
  const name = one.name ?? `token ${at + 1}`;
  const [id, secret] = one.token?.split('|') ?? [];
  return { ...one, name, id: id === undefined ? 1001 + at : Number(id), secret: secret ?? tokenSecretOf(keys, name) };
}

async function storeRows({ tx, now }: Change, fixtures: Fixtures): Promise<void> {
  const structures = numbered(fixtures.structures);
  const stamps = { created_at: now, updated_at: now };
  const users = usersOf(fixtures);
  const regionOf = (id: number) => structures.find((one) => one.id === id)?.region ?? '';
  await tx.append(
    'users',
    users.map((one) => ({ ...one, created_at: now })),
  );
  await tx.append(
    'structures',
    structures.map((one) => ({ ...one, search: fold(one.nom), region_search: fold(one.region), created_at: now })),
  );
  await tx.append(
    'indicators',
    numbered(fixtures.indicators).map((one) => ({
      ...{ ...one, search: fold(one.intitule), updated_at: now },
      alert_state: alertStateOf(one.valeur_courante, one.cible_annuelle),
    })),
  );
  await tx.append(
    'interventions',
    numbered(fixtures.interventions).map(({ budget, region = '', ...one }) => {
      const where = region || regionOf(one.structure_id);
      return {
        ...{ ...one, ...stamps, region: where, budget: budget === null ? null : String(budget) },
        ...{ search: fold(one.intitule), region_search: fold(where) },
        validated_by: one.statut === 'approuve' ? (users[0]?.id ?? null) : null,
      };
    }),
  );
  await tx.append(
    'financings',
    numbered(fixtures.financings).map((one) => ({ ...one, ...stamps, montant: String(one.montant) })),
  );
}
