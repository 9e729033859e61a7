import { z } from 'zod';
import { draft, shownStatuses } from '../../../gateway/api/cohesion/domain/intervention-moves.ts';
import { abilityNames, indicatorTypes, structureTypes } from '../../../gateway/store/tables/cohesion.ts';
import { absence, eventStates, type State, state, type World } from './state.ts';

const ability = z.enum(abilityNames);
const count = z.int().min(1).max(500).default(3);
const tokenReturns = ['token', 'structure_id', 'other_structure_id'] as const;
const title = z.string().min(1).optional();
const indicatorShape = {
  type: z.enum(indicatorTypes).optional(),
  is_kpi: z.boolean().optional(),
  intitule: title,
};
/** Parameters for a single indicator. No filter uses them. */
const indicatorValues = {
  code: z.string().min(1).optional(),
  unite: z.string().min(1).optional(),
  valeur_courante: z.number().optional(),
  cible_annuelle: z.number().optional(),
};
const interventionShape = {
  statut: z.enum(shownStatuses).optional(),
  region: z.string().min(1).optional(),
  annee: z.int().optional(),
  intitule: title,
};
const structureShape = {
  type: z.enum(structureTypes).optional(),
  region: z.string().min(1).optional(),
  nom: title,
};
/** A row's fields, as a state's parameters name them. */
type Fields = Record<string, string | number | boolean | undefined>;

/** Returns a value that a filter by this value must not find. */
const otherThan: Record<string, (value: unknown) => string | number | boolean> = {
  is_kpi: (value) => !value,
  statut: (value) => (value === 'suspendu' ? 'en_cours' : 'suspendu'),
  region: (value) => (value === 'Bounkani' ? 'Poro' : 'Bounkani'),
  annee: (value) => Number(value) - 1,
  intitule: () => 'Hors sujet',
  nom: () => 'Hors sujet',
};
/** Limit of writes per token and minute (document section 8). */
const writesPerMinute = 30;
const tokenLifetimeMs = 60_000;

/** The moves that bring an intervention from draft to each status. */
const movesTo: Record<string, readonly string[]> = {
  [draft]: [],
  en_cours: ['publish'],
  suspendu: ['publish', 'suspend'],
  termine: ['publish', 'terminate'],
  approuve: ['publish', 'validate'],
};

const owner = { word: 'user', open: async (world: World) => `user:${(await openUser(world, 'admin')).id}` } as const;
const eventState = eventStates(owner);

const tokenShape = {
  abilities: z.array(ability).default([...abilityNames]),
  name: z.string().min(1).default('tableau de bord'),
  user: z.string().min(1).optional(),
  email: z.email().optional(),
  role: z.string().min(1).default('gestionnaire'),
  /** Where the perimeter is set: on the token, or on its user, whose tokens never exceed it. */
  perimeter_of: z.enum(['token', 'user']).default('token'),
};

export const cohesionStates: readonly State[] = [
  state('an access token', tokenShape, tokenReturns, openToken),
  state('an access token without the ability', { ability }, tokenReturns, async (world, params) =>
    openToken(world, { abilities: abilityNames.filter((name) => name !== params.ability) }),
  ),
  state('an access token of an inactive user', {}, ['token', 'structure_id'], async (world) => {
    const { token, structure_id } = await openToken(world, {});
    await world.reference.manage('PATCH', `/cohesion/users/${world.values.user_id}`, { active: false });
    return { token, structure_id };
  }),
  state('an expired access token', {}, ['token'], async (world) => {
    const expires_at = new Date(world.reference.now() + tokenLifetimeMs).toISOString();
    const { token } = await openToken(world, { expires_at });
    world.reference.shiftClock(tokenLifetimeMs + 1000);
    return { token };
  }),
  state('a revoked access token', {}, ['token'], async (world) => {
    const { token } = await openToken(world, {});
    await world.reference.manage('DELETE', `/cohesion/tokens/${idIn(token)}`);
    return { token };
  }),
  // The id of a token that is valid, with another secret.
  state('a forged access token', {}, ['token'], async (world) => {
    const { token } = await openToken(world, {});
    return { token: `${idIn(token)}|${'x'.repeat(43)}` };
  }),
  state('indicators', { count, ...indicatorShape }, ['indicator_id'], (world, params) => openList(world, indicatorList, params)),
  state('an indicator', { ...indicatorShape, ...indicatorValues }, ['indicator_id'], openIndicator),
  absence('no indicator', 'indicator_id', z.int()),
  state('interventions', { count, ...interventionShape }, ['intervention_id'], (world, params) =>
    openList(world, interventionList, params),
  ),
  state('structures', { count, ...structureShape }, ['structure_id'], (world, params) => openList(world, structureList, params)),
  state('statistics of a year', { annee: z.int().optional() }, ['annee'], async (world, params) => {
    const annee = params.annee ?? thisYear(world);
    await openIndicator(world, {});
    // The statistics of a year must not count the year before it.
    for (const year of [annee, annee - 1]) {
      await openIntervention(world, { annee: year });
      await openFinancing(world, (await perimeterOf(world)).structure_id, { exercice: year });
    }
    await openIntervention(world, { annee, statut: draft });
    return { annee };
  }),
  state('today is', { date: z.iso.date() }, ['date'], async (world, { date }) => {
    world.reference.shiftClock(Date.parse(`${date}T12:00:00Z`) - world.reference.now());
    return { date };
  }),
  state('a financing', { statut: z.string().default('promis') }, ['financing_id', 'structure_id'], async (world, params) =>
    openFinancing(world, (await perimeterOf(world)).structure_id, params),
  ),
  state(
    'a financing outside the perimeter',
    { moved: z.boolean().default(false) },
    ['financing_id'],
    async (world, { moved }) => {
      const { structure_id, other_structure_id } = await perimeterOf(world);
      const { financing_id } = await (moved
        ? openFinancing(world, structure_id, {}, other_structure_id)
        : openFinancing(world, other_structure_id, {}));
      return { financing_id };
    },
  ),
  absence('no financing', 'financing_id', z.int()),
  state('the write limit is used up', {}, ['token', 'structure_id'], async (world) => {
    const { token, structure_id } = world.values.token === undefined ? await openToken(world, {}) : world.values;
    const body = financing(structure_id as number, thisYear(world));
    for (let write = 0; write < writesPerMinute; write++) {
      await world.reference.call('POST', '/api/v1/financements', token as string, body);
    }
    return { token, structure_id };
  }),
  ...['validated', 'terminated', 'suspended'].map((done) => {
    const prepare = async (world: World, fields: Fields) => {
      const { intervention_id } = await openIntervention(world, fields);
      // The API validates in the name of an administrator.
      await openUser(world, 'admin');
      return String(intervention_id);
    };
    return eventState(`an intervention was ${done}`, `intervention.${done}`, prepare, ['reference', 'intitule', 'region']);
  }),
  eventState('an indicator crossed its alert threshold', 'indicator.alert', async (world) => {
    const { indicator_id } = await openIndicator(world, {});
    return String(indicator_id);
  }),
  eventState('an annual plan was closed', 'plan.closed', async (world) => {
    const annee = thisYear(world);
    await world.reference.manage('POST', '/cohesion/plans', { annee });
    return String(annee);
  }),
  eventState('a report is ready', 'rapport.ready', async () => undefined),
];

const thisYear = ({ reference }: World) => new Date(reference.now()).getUTCFullYear();

/** Returns the fields with a value. */
const given = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Returns the next number, which makes codes and references unique. */
function next({ values }: World): number {
  const made = ((values.made as number | undefined) ?? 0) + 1;
  values.made = made;
  return made;
}

/** How the rows of a list are made. */
interface List {
  types: readonly string[];
  open(world: World, fields: Fields): Promise<Record<string, unknown>>;
  /** Makes a row that the API never lists. */
  openHidden(world: World, fields: Fields): Promise<unknown>;
}

const indicatorList: List = {
  types: indicatorTypes,
  open: openIndicator,
  async openHidden(world, fields) {
    const { indicator_id } = await openIndicator(world, fields);
    await world.reference.manage('PATCH', `/cohesion/indicators/${indicator_id}`, { active: false });
  },
};

const interventionList: List = {
  types: [],
  open: openIntervention,
  openHidden: (world, fields) => openIntervention(world, { ...fields, statut: draft }),
};

const structureList: List = {
  types: structureTypes,
  open: async (world, fields) => ({ structure_id: await openStructure(world, fields) }),
  async openHidden(world, fields) {
    await world.reference.manage('PATCH', `/cohesion/structures/${await openStructure(world, fields)}`, { active: false });
  },
};

/**
 * Makes the rows of a list, and rows that must not appear: one that the API never lists, and for each field that the pact names
 * one row that differs in it. So a filter that does nothing shows too much. Returns the values of the first row.
 */
async function openList(world: World, list: List, { count: rows, ...fields }: Fields & { count: number }) {
  const first = await list.open(world, fields);
  for (let made = 1; made < rows; made++) await list.open(world, fields);
  for (const [name, value] of Object.entries(fields)) {
    const other = name === 'type' ? list.types.find((type) => type !== value) : otherThan[name]?.(value);
    if (value !== undefined) await list.open(world, { ...fields, [name]: other });
  }
  await list.openHidden(world, fields);
  return first;
}

/** Creates a user with a token, and two structures: one inside the token's perimeter, one outside. */
async function openToken(
  world: World,
  {
    abilities = [...abilityNames],
    name = 'outil',
    role = 'gestionnaire',
    perimeter_of = 'token',
    ...input
  }: Partial<z.output<z.ZodObject<typeof tokenShape>>> & { expires_at?: string },
) {
  const { structure_id, other_structure_id } = await perimeterOf(world);
  const within = [structure_id];
  const user = await openUser(world, role, {
    structure_ids: perimeter_of === 'user' ? within : null,
    ...(input.user && { name: input.user }),
    ...(input.email && { email: input.email }),
  });
  const made = await world.reference.manage('POST', `/cohesion/users/${user.id}/tokens`, {
    name,
    abilities,
    structure_ids: perimeter_of === 'token' ? within : null,
    ...(input.expires_at && { expires_at: input.expires_at }),
  });
  Object.assign(world.values, { user_id: user.id });
  return { token: made.token as string, structure_id, other_structure_id };
}

/** A token is its id, a bar and its secret. */
const idIn = (token: string) => token.split('|')[0];

const openUser = (
  world: World,
  role: string,
  fields: { structure_ids?: number[] | null; name?: string; email?: string } = {},
) => {
  const body = { name: 'Awa Koné', structure_ids: null, email: `awa.${next(world)}@example.org`, ...fields, role };
  return world.reference.manage('POST', '/cohesion/users', body);
};

/** Returns the two structures of the interaction: one inside the perimeter of its token, one outside. */
async function perimeterOf(world: World): Promise<{ structure_id: number; other_structure_id: number }> {
  world.values.perimeter ??= {
    structure_id: await openStructure(world, {}),
    other_structure_id: await openStructure(world, {}),
  };
  return world.values.perimeter as { structure_id: number; other_structure_id: number };
}

async function openStructure(world: World, input: Fields): Promise<number> {
  const { type = 'ong', region = 'Gbêkê', nom = 'Comité de paix' } = input;
  const { id } = await world.reference.manage('POST', '/cohesion/structures', { nom, type, region });
  return id as number;
}

async function openIndicator(world: World, input: Fields) {
  const { valeur_courante = 60.5, ...fields } = input;
  const code = `IND-${String(next(world)).padStart(3, '0')}`;
  const usual = { code, intitule: 'Taux de participation', type: 'resultat', unite: '%', cible_annuelle: 80, is_kpi: true };
  const { id } = await world.reference.manage('POST', '/cohesion/indicators', { ...usual, ...given(fields) });
  await world.reference.manage('PUT', `/cohesion/indicators/${id}/value`, { valeur_courante });
  return { indicator_id: id };
}

async function openIntervention(world: World, input: Fields) {
  const { statut = 'en_cours', region = 'Gbêkê', annee = thisYear(world), intitule = 'Dialogue intercommunautaire' } = input;
  const { reference = `INT-${annee}-${String(next(world)).padStart(4, '0')}` } = input;
  const structure_id = (world.values.structure_id as number | undefined) ?? (await openStructure(world, { region }));
  const { id } = await world.reference.manage('POST', '/cohesion/interventions', {
    reference,
    intitule,
    structure_id,
    region,
    annee,
  });
  // The API validates in the name of an administrator.
  if (statut === 'approuve') await openUser(world, 'admin');
  for (const move of movesTo[String(statut)] ?? []) await world.reference.manage('POST', `/cohesion/interventions/${id}/${move}`);
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

/** Creates a financing with a separate token that has no perimeter, and moves it to another structure if one is named. */
async function openFinancing(
  world: World,
  structure_id: number,
  changes: { statut?: string; exercice?: number },
  movedTo?: number,
) {
  const user = await openUser(world, 'gestionnaire');
  const made = { name: 'mise en place', abilities: ['write:financements'], structure_ids: null };
  const { token } = await world.reference.manage('POST', `/cohesion/users/${user.id}/tokens`, made);
  const body = { ...financing(structure_id, thisYear(world)), ...changes };
  const { data } = await world.reference.call('POST', '/api/v1/financements', token as string, body);
  const financing_id = (data as { id: number }).id;
  if (movedTo !== undefined)
    await world.reference.call('PUT', `/api/v1/financements/${financing_id}`, token as string, {
      ...body,
      structure_id: movedTo,
    });
  return { financing_id, structure_id };
}
