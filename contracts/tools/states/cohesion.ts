import { z } from 'zod';
import { eventState, type State, state, type World } from './state.ts';

const abilityNames = ['read:indicators', 'read:interventions', 'read:structures', 'read:stats', 'write:financements'] as const;
const ability = z.enum(abilityNames);
const count = z.int().min(1).max(500).default(3);
const tokenReturns = ['token', 'structure_id', 'other_structure_id'] as const;
const indicatorShape = {
  type: z.enum(['activite', 'resultat', 'impact']).default('resultat'),
  is_kpi: z.boolean().default(true),
  intitule: z.string().min(1).default('Taux de participation aux comités de paix'),
};
const interventionShape = {
  statut: z.enum(['en_cours', 'suspendu', 'termine', 'approuve']).default('en_cours'),
  region: z.string().min(1).default('Gbêkê'),
  annee: z.int().optional(),
  intitule: z.string().min(1).default('Dialogue intercommunautaire'),
};
const structureShape = {
  type: z.enum(['ong', 'ministere', 'partenaire', 'collectivite', 'association']).default('ong'),
  region: z.string().min(1).default('Gbêkê'),
  nom: z.string().min(1).default('Comité de paix'),
};
/** Limit of writes per token and minute (document section 8). */
const writesPerMinute = 30;
const tokenLifetimeMs = 60_000;

/** The moves that bring an intervention from draft to each status. */
const movesTo: Record<string, readonly string[]> = {
  en_cours: ['publish'],
  suspendu: ['publish', 'suspend'],
  termine: ['publish', 'terminate'],
  approuve: ['publish', 'validate'],
};

export const cohesionStates: readonly State[] = [
  state(
    'an access token',
    {
      abilities: z.array(ability).default([...abilityNames]),
      name: z.string().min(1).default('tableau de bord'),
      role: z.string().min(1).default('gestionnaire'),
    },
    tokenReturns,
    openToken,
  ),
  state('an access token without the ability', { ability }, tokenReturns, async (world, params) =>
    openToken(world, { abilities: abilityNames.filter((name) => name !== params.ability) }),
  ),
  state('an access token of an inactive user', {}, ['token'], async (world) => {
    const { token } = await openToken(world, {});
    await world.reference.manage('PATCH', `/cohesion/users/${world.values.user_id}`, { active: false });
    return { token };
  }),
  state('an expired access token', {}, ['token'], async (world) => {
    const expires_at = new Date(world.reference.now() + tokenLifetimeMs).toISOString();
    const { token } = await openToken(world, { expires_at });
    world.reference.shiftClock(tokenLifetimeMs + 1000);
    return { token };
  }),
  state('indicators', { count, ...indicatorShape }, ['indicator_id'], async (world, params) =>
    firstOf(params.count, () => openIndicator(world, params)),
  ),
  state('an indicator', indicatorShape, ['indicator_id'], openIndicator),
  state('no indicator', { indicator_id: z.int() }, ['indicator_id'], async (_, params) => params),
  state('interventions', { count, ...interventionShape }, ['intervention_id'], async (world, params) =>
    firstOf(params.count, () => openIntervention(world, params)),
  ),
  state('structures', { count, ...structureShape }, ['structure_id'], async (world, params) =>
    firstOf(params.count, async () => ({ structure_id: await openStructure(world, params) })),
  ),
  state('statistics of a year', { annee: z.int().optional() }, ['annee'], async (world, params) => {
    const annee = params.annee ?? thisYear(world);
    await openIndicator(world, {});
    await openIntervention(world, { annee });
    await openFinancing(world, (await perimeterOf(world)).structure_id, { exercice: annee });
    return { annee };
  }),
  state('a financing', { statut: z.string().default('promis') }, ['financing_id', 'structure_id'], async (world, params) =>
    openFinancing(world, (await perimeterOf(world)).structure_id, params),
  ),
  state('a financing outside the perimeter', {}, ['financing_id'], async (world) => {
    const { financing_id } = await openFinancing(world, (await perimeterOf(world)).other_structure_id, {});
    return { financing_id };
  }),
  state('no financing', { financing_id: z.int() }, ['financing_id'], async (_, params) => params),
  state('the write limit is used up', {}, ['token', 'structure_id'], async (world) => {
    const { token, structure_id } = world.values.token === undefined ? await openToken(world, {}) : world.values;
    const body = financing(structure_id as number, thisYear(world));
    for (let write = 0; write < writesPerMinute; write++) {
      await world.reference.call('POST', '/api/v1/financements', token as string, body);
    }
    return { token, structure_id };
  }),
  ...['validate', 'terminate', 'suspend'].map((move) => {
    const done = { validate: 'validated', terminate: 'terminated', suspend: 'suspended' }[move];
    return eventState(`an intervention was ${done}`, `intervention.${done}`, async (world) => {
      const { intervention_id } = await openIntervention(world, {});
      // The API validates in the name of an administrator.
      await openUser(world, 'admin');
      return () => world.reference.manage('POST', `/cohesion/interventions/${intervention_id}/${move}`);
    });
  }),
  eventState('an indicator crossed its alert threshold', 'indicator.alert', async (world) => {
    const { indicator_id } = await openIndicator(world, {});
    return () => world.reference.manage('PUT', `/cohesion/indicators/${indicator_id}/value`, { valeur_courante: 0 });
  }),
  eventState('an annual plan was closed', 'plan.closed', async (world) => {
    const annee = thisYear(world);
    await world.reference.manage('POST', '/cohesion/plans', { annee });
    return () => world.reference.manage('POST', `/cohesion/plans/${annee}/close`);
  }),
  eventState(
    'a report is ready',
    'rapport.ready',
    async (world) => () => world.reference.manage('POST', '/cohesion/reports', { annee: thisYear(world) }),
  ),
];

const thisYear = ({ reference }: World) => new Date(reference.now()).getUTCFullYear();

/** Returns the next number, which makes codes and references unique. */
function next({ values }: World): number {
  const made = ((values.made as number | undefined) ?? 0) + 1;
  values.made = made;
  return made;
}

async function firstOf<T>(times: number, make: () => Promise<T>): Promise<T> {
  const first = await make();
  for (let made = 1; made < times; made++) await make();
  return first;
}

interface TokenInput {
  abilities?: readonly string[];
  name?: string;
  role?: string;
  expires_at?: string;
}

/** Creates a user with a token, and two structures: one inside the token's perimeter, one outside. */
async function openToken(
  world: World,
  { abilities = abilityNames, name = 'outil', role = 'gestionnaire', expires_at }: TokenInput,
) {
  const user = await openUser(world, role);
  const { structure_id, other_structure_id } = await perimeterOf(world);
  const made = await world.reference.manage('POST', `/cohesion/users/${user.id}/tokens`, {
    name,
    abilities,
    structure_ids: [structure_id],
    ...(expires_at ? { expires_at } : {}),
  });
  Object.assign(world.values, { user_id: user.id });
  return { token: made.token, structure_id, other_structure_id };
}

const openUser = (world: World, role: string) =>
  world.reference.manage('POST', '/cohesion/users', { name: 'Awa Koné', role, email: `awa.${next(world)}@example.org` });

/** Returns the two structures of the interaction: one inside the perimeter of its token, one outside. */
async function perimeterOf(world: World): Promise<{ structure_id: number; other_structure_id: number }> {
  world.values.perimeter ??= {
    structure_id: await openStructure(world, {}),
    other_structure_id: await openStructure(world, {}),
  };
  return world.values.perimeter as { structure_id: number; other_structure_id: number };
}

async function openStructure(world: World, input: Partial<{ type: string; region: string; nom: string }>): Promise<number> {
  const { type = 'ong', region = 'Gbêkê', nom = 'Comité de paix' } = input;
  const { id } = await world.reference.manage('POST', '/cohesion/structures', { nom, type, region });
  return id as number;
}

async function openIndicator(world: World, input: Partial<{ type: string; is_kpi: boolean; intitule: string }>) {
  const { type = 'resultat', is_kpi = true, intitule = 'Taux de participation' } = input;
  const code = `IND-${String(next(world)).padStart(3, '0')}`;
  const body = { code, intitule, type, unite: '%', cible_annuelle: 80, is_kpi };
  const { id } = await world.reference.manage('POST', '/cohesion/indicators', body);
  await world.reference.manage('PUT', `/cohesion/indicators/${id}/value`, { valeur_courante: 60.5 });
  return { indicator_id: id };
}

interface InterventionInput {
  statut?: string;
  region?: string;
  annee?: number | undefined;
  intitule?: string;
}

async function openIntervention(world: World, input: InterventionInput) {
  const { statut = 'en_cours', region = 'Gbêkê', annee = thisYear(world), intitule = 'Dialogue intercommunautaire' } = input;
  const structure_id = (world.values.structure_id as number | undefined) ?? (await openStructure(world, { region }));
  const reference = `INT-${annee}-${String(next(world)).padStart(4, '0')}`;
  const { id } = await world.reference.manage('POST', '/cohesion/interventions', {
    reference,
    intitule,
    structure_id,
    region,
    annee,
  });
  for (const move of movesTo[statut] ?? []) await world.reference.manage('POST', `/cohesion/interventions/${id}/${move}`);
  return { intervention_id: id };
}

const financing = (structure_id: number, exercice: number) => ({
  structure_id,
  exercice,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  statut: 'promis',
});

/** Creates a financing with a separate token that has no perimeter. */
async function openFinancing(world: World, structure_id: number, changes: { statut?: string; exercice?: number }) {
  const user = await openUser(world, 'gestionnaire');
  const made = { name: 'mise en place', abilities: ['write:financements'], structure_ids: null };
  const { token } = await world.reference.manage('POST', `/cohesion/users/${user.id}/tokens`, made);
  const body = { ...financing(structure_id, thisYear(world)), ...changes };
  const { data } = await world.reference.call('POST', '/api/v1/financements', token as string, body);
  return { financing_id: (data as { id: number }).id, structure_id };
}
