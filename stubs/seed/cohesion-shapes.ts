import { z } from 'zod';
import { newFinancing } from '../../gateway/api/cohesion/schemas.ts';
import { amount, id, text } from '../../gateway/http/fields.ts';
import { newIndicator } from '../../gateway/manage/cohesion/indicators.ts';
import { newIntervention } from '../../gateway/manage/cohesion/interventions.ts';
import { newStructure } from '../../gateway/manage/cohesion/structures.ts';
import { newUser } from '../../gateway/manage/cohesion/users.ts';
import { abilityNames, interventionStatuses, planStatuses } from '../../gateway/store/tables/cohesion.ts';
import type { FinancingValues } from '../../spec/gaps/is/cohesion.ts';
import { pastEvents } from './events.ts';
import { once, serial } from './fields.ts';

const active = z.boolean().default(true);

/** Rows have the fields of the back office's requests, and those that it sets later: an id, a state, a value. */
const structure = newStructure.extend({ id: serial(), active });
const user = newUser.extend({ id: serial(), role: newUser.shape.role.default('gestionnaire'), active });
const indicator = newIndicator.extend({ id: serial(), valeur_courante: amount().default(0), active });
const intervention = newIntervention.extend({
  id: serial(),
  statut: z.enum(interventionStatuses).default('en_cours'),
  validated_by: id().nullable().optional(),
});
const plan = z.strictObject({
  annee: z.int().min(1900, 'must be 1900 or later').max(2100, 'must be 2100 or earlier'),
  statut: z.enum(planStatuses).default('open'),
});
const financing = newFinancing.extend({ id: serial() });
const token = z.strictObject({
  token: z
    .string()
    .regex(/^[1-9][0-9]{0,8}\|[A-Za-z0-9_-]{20,200}$/, 'must look like "7|" and 20 or more letters and digits')
    .optional()
    .describe('The token that clients send. Default: a token that is the same at each start.'),
  name: text(100).optional(),
  user_id: id().default(1),
  abilities: z.array(z.enum(abilityNames)).default([...abilityNames]),
  structures: z.array(id()).nullable().default(null).describe('The perimeter: structure ids, or null for all.'),
});

/** A token's id is before its "|". Two tokens with one id and two secrets differ as texts, but not as rows. */
function refuseTwinIds(tokens: readonly z.output<typeof token>[], context: z.RefinementCtx): void {
  const seen = new Map<string, string>();
  for (const [at, { token }] of tokens.entries()) {
    const [id = ''] = token?.split('|') ?? [];
    const before = seen.get(id);
    if (token !== undefined && before !== undefined && before !== token)
      context.addIssue({ code: 'custom', path: [at, 'token'], message: `its id ${id}, before the "|", is used twice` });
    if (token !== undefined) seen.set(id, token);
  }
}

const usualUsers: z.output<typeof user>[] = [
  { name: 'Aya Kouassi', email: 'aya.kouassi@demo.example', role: 'gestionnaire', structure_ids: null, active: true },
];
export const usersOf = (fixtures: { users?: z.output<typeof user>[] | undefined }) => numbered(fixtures.users ?? usualUsers);

interface Referring {
  structures: readonly { id: number }[];
  users: readonly { id: number }[];
}

/** Gives every row its id: its own, or the first free one after the id of the row before it. */
export function numbered<R extends { id?: number | undefined }>(rows: readonly R[]): (R & { id: number })[] {
  const taken = new Set(rows.map((row) => row.id).filter((one) => one !== undefined));
  let next = 1;
  return rows.map((row) => {
    while (row.id === undefined && taken.has(next)) next += 1;
    return { ...row, id: row.id ?? next++ };
  });
}

/** The initial data of the social-cohesion API. Users and tokens have defaults. */
export const cohesionFixtures = z
  .strictObject({
    $schema: z.string().optional(),
    users: z.array(user).min(1).superRefine(once('id', 'email')).optional(),
    structures: z.array(structure).superRefine(once('id')).default([]),
    indicators: z.array(indicator).superRefine(once('id', 'code')).default([]),
    interventions: z.array(intervention).superRefine(once('id', 'reference')).default([]),
    financings: z.array(financing).superRefine(once('id')).default([]),
    plans: z.array(plan).superRefine(once('annee')).default([]),
    tokens: z.array(token).min(1).superRefine(once('token')).superRefine(refuseTwinIds).optional(),
    events: pastEvents('cohesion'),
  })
  .superRefine((fixtures, context) => {
    const known: Referring = { structures: numbered(fixtures.structures), users: usersOf(fixtures) };
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const refer = (to: keyof Referring, wanted: number, path: (string | number)[]) => {
      if (!known[to].some((one) => one.id === wanted)) refuse(path, `${to} has no entry with the id ${wanted}`);
    };
    for (const name of ['interventions', 'financings'] as const)
      for (const [at, row] of fixtures[name].entries()) refer('structures', row.structure_id, [name, at, 'structure_id']);
    for (const [at, { validated_by }] of fixtures.interventions.entries())
      if (typeof validated_by === 'number') refer('users', validated_by, ['interventions', at, 'validated_by']);
    for (const [at, { structure_ids }] of (fixtures.users ?? []).entries())
      for (const one of structure_ids ?? []) refer('structures', one, ['users', at, 'structure_ids']);
    for (const [at, row] of (fixtures.tokens ?? []).entries()) {
      refer('users', row.user_id, ['tokens', at, 'user_id']);
      for (const one of row.structures ?? []) refer('structures', one, ['tokens', at, 'structures']);
    }
  });

/** Financings may have the reference's words as well. */
export const cohesionFixturesWith = (words: readonly FinancingValues[]): typeof cohesionFixtures => {
  const fields = words.map(({ field, takes, known }) => {
    const isTaken = (value: string) => newFinancing.shape[field].safeParse(value).success || takes(value);
    return [field, z.string().refine(isTaken, known)];
  });
  const own = financing.extend(Object.fromEntries(fields)) as typeof financing;
  return cohesionFixtures.safeExtend({ financings: z.array(own).superRefine(once('id')).default([]) });
};
