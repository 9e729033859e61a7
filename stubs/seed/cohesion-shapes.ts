import { z } from 'zod';
import { newFinancing } from '../../gateway/api/cohesion/schemas.ts';
import { amount, id, text } from '../../gateway/http/fields.ts';
import { newIndicator } from '../../gateway/manage/cohesion/indicators.ts';
import { newIntervention } from '../../gateway/manage/cohesion/interventions.ts';
import { newStructure } from '../../gateway/manage/cohesion/structures.ts';
import { newUser } from '../../gateway/manage/cohesion/users.ts';
import { abilityNames, interventionStatuses } from '../../gateway/store/tables/cohesion.ts';
import { serial } from './fields.ts';

const active = z.boolean().default(true);

/** Rows have the fields of the back office's requests, and those that it sets later: an id, a state, a value. */
const structure = newStructure.extend({ id: serial(), active });
const user = newUser.extend({ id: serial(), role: newUser.shape.role.default('gestionnaire'), active });
const indicator = newIndicator.extend({ id: serial(), valeur_courante: amount().default(0), active });
const intervention = newIntervention.extend({ id: serial(), statut: z.enum(interventionStatuses).default('en_cours') });
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

const usualUsers: z.output<typeof user>[] = [
  { name: 'Aya Kouassi', email: 'aya.kouassi@demo.example', role: 'gestionnaire', active: true },
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
    users: z.array(user).min(1).optional(),
    structures: z.array(structure).default([]),
    indicators: z.array(indicator).default([]),
    interventions: z.array(intervention).default([]),
    financings: z.array(financing).default([]),
    tokens: z.array(token).min(1).optional(),
  })
  .superRefine((fixtures, context) => {
    const known: Referring = { structures: numbered(fixtures.structures), users: usersOf(fixtures) };
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const refer = (to: keyof Referring, wanted: number, path: (string | number)[]) => {
      if (!known[to].some((one) => one.id === wanted)) refuse(path, `${to} has no entry with the id ${wanted}`);
    };
    for (const name of ['interventions', 'financings'] as const)
      for (const [at, row] of fixtures[name].entries()) refer('structures', row.structure_id, [name, at, 'structure_id']);
    for (const [at, row] of (fixtures.tokens ?? []).entries()) {
      refer('users', row.user_id, ['tokens', at, 'user_id']);
      for (const one of row.structures ?? []) refer('structures', one, ['tokens', at, 'structures']);
    }
    refuseTwins(fixtures, refuse);
  });

type Fixtures = {
  [N in 'users' | 'structures' | 'indicators' | 'interventions' | 'financings' | 'tokens']?: readonly object[] | undefined;
};

/** Checks unique fields, so that the message names the fixture's place and not the store's constraint. */
const unique = [
  ['users', 'id'],
  ['users', 'email'],
  ['structures', 'id'],
  ['indicators', 'id'],
  ['indicators', 'code'],
  ['interventions', 'id'],
  ['interventions', 'reference'],
  ['financings', 'id'],
  ['tokens', 'token'],
] as const;

function refuseTwins(fixtures: Fixtures, refuse: (path: (string | number)[], message: string) => void): void {
  for (const [name, field] of unique) {
    const seen = new Set<unknown>();
    for (const [at, row] of (fixtures[name] ?? []).entries()) {
      const value = (row as Record<string, unknown>)[field];
      if (value !== undefined && seen.has(value)) refuse([name, at, field], `${JSON.stringify(value)} is used twice`);
      seen.add(value);
    }
  }
}
