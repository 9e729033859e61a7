import { shownStatuses } from '../../../gateway/api/cohesion/domain/intervention-moves.ts';
import { structureTypes } from '../../../gateway/store/tables/cohesion.ts';
import { documented } from '../../../spec/documents/documented.ts';
import { fieldsOf, jsonOr } from '../../../spec/json.ts';
import type { ProviderState } from '../states/state.ts';
import { given, nothing, recreatedFor, type Situation, stateValue, unexplained } from './caller.ts';
import type { Recreated, Scene } from './scene.ts';

const unknownId = 999_999;
/** A page that is not the last one of three rows. */
const pageSize = 2;
const rowsOnFirstPage = 25;
const limited = given('the write limit is used up');

/** A page after the last one. */
const latePage = '999';
const unknown = 'unknown';

/** A filter of a list: what the request asks for, which rows there are, and what the reply then has. */
interface Filter {
  asks: string;
  /** The value in a request that finds nothing, because no row has it. */
  none?: string;
  /** A known value that no row has unless the state names it. */
  rare?: string;
  rows: Record<string, unknown>;
  /** Rows that must not be found. */
  others?: Record<string, unknown>;
  fixed?: Record<string, unknown>;
}

interface List {
  rows: string;
  other?: string;
  /** By name of the parameter: the filter for a value of the pact, and for the value that was sent. */
  filters: Readonly<Record<string, (asked: string, sent: string) => Filter>>;
}

/** A filter that knows these values. The request asks for the first value. The second one is the `rare` value. */
const oneOf =
  (field: string, known: readonly string[]) =>
  (_: string, sent: string): Filter => {
    const [asks = '', rare = ''] = known;
    return known.includes(sent) ? { asks, rare, rows: { [field]: asks } } : { asks: unknown, none: unknown, rows: {} };
  };

const lists: Readonly<Record<string, List>> = {
  listIndicators: {
    rows: 'indicators',
    other: 'an indicator',
    filters: {
      type: (type) => ({
        asks: type,
        rows: { type },
        others: { type: type === 'impact' ? 'resultat' : 'impact' },
        fixed: { '$.data[*].type': type },
      }),
      kpi: (kpi) => {
        const is_kpi = kpi === '1' || kpi === 'true';
        return { asks: kpi, rows: { is_kpi }, others: { is_kpi: !is_kpi }, fixed: { '$.data[*].is_kpi': is_kpi } };
      },
      q: () => ({
        asks: 'médiations',
        none: unknown,
        rows: { intitule: 'Nombre de médiations' },
        others: { intitule: 'Nombre de comités' },
        fixed: { '$.data[*].intitule': /^.*médiations.*$/ },
      }),
    },
  },
  listInterventions: {
    rows: 'interventions',
    filters: {
      statut: oneOf('statut', shownStatuses),
      region: () => ({ asks: 'Gbêkê', none: unknown, rows: { region: 'Gbêkê' } }),
      annee: () => ({ asks: '2026', none: '1999', rows: { annee: 2026 } }),
      q: () => ({ asks: 'Dialogue', none: unknown, rows: { intitule: 'Dialogue intercommunautaire' } }),
    },
  },
  listStructures: {
    rows: 'structures',
    filters: {
      type: oneOf('type', structureTypes),
      region: () => ({ asks: 'Gbêkê', none: unknown, rows: { region: 'Gbêkê' } }),
      q: () => ({ asks: 'Comité', none: unknown, rows: { nom: 'Comité de paix' } }),
    },
  },
};

/** The ability that the document names for an operation. */
function abilityOf({ found }: Scene): string | undefined {
  const row = documented.cohesion.find(({ says }) => says.startsWith(`${found.method} | ${found.path} |`));
  return row?.says.split(' | ')[2]?.match(/^[a-z]+:[a-z]+$/)?.[0];
}

/** Why a token is forbidden: its user, a missing ability, or the perimeter of a token that writes elsewhere. */
function forbidden(scene: Scene): { token: ProviderState; words: string[] } | undefined {
  const { call, authorization = '', facts } = scene;
  const ability = abilityOf(scene);
  const writes = ability?.startsWith('write:') ?? false;
  if (call.status !== 403 || (writes && facts.succeeded('writer', authorization))) return undefined;
  return ability === undefined || facts.isInactive(authorization)
    ? { token: given('an access token of an inactive user'), words: ['by an inactive user'] }
    : { token: given('an access token without the ability', { ability }), words: [`without the ability ${ability}`] };
}

const recreate =
  (situation: (scene: Scene) => Situation, limited?: ProviderState) =>
  (scene: Scene): Recreated => {
    const refused = forbidden(scene);
    const own = () => (refused && scene.id === undefined ? nothing : situation(scene));
    const recreated = recreatedFor(scene, own, { token: refused?.token, limited });
    return { ...recreated, words: [...(refused?.words ?? []), ...recreated.words] };
  };

/** How each operation's reply is brought about again. */
export const cohesionRecreations: Readonly<Record<string, (scene: Scene) => Recreated>> = {
  readMe: recreate(() => nothing),
  ...Object.fromEntries(Object.entries(lists).map(([operation, list]) => [operation, recreate((scene) => listOf(scene, list))])),
  readIndicator: recreate((scene) => ofOne(scene, { one: 'an indicator', none: 'no indicator', id: 'indicator_id' })),
  readStats: recreate(({ call, query }) =>
    call.status === 200 ? { ...nothing, states: [given('statistics of a year', query.annee ? { annee: 2026 } : {})] } : nothing,
  ),
  createFinancing: recreate((scene) => {
    if (scene.call.status === 422 && scene.isValid) return unexplained(scene);
    const isOutside = scene.call.status === 403 && forbidden(scene) === undefined;
    return { ...nothing, from: structureOf(scene, isOutside), words: isOutside ? ['for a structure outside the perimeter'] : [] };
  }, limited),
  updateFinancing: recreate((scene) => {
    const { status } = scene.call;
    if (status === 422 && scene.isValid && !scene.words.includes('an empty body')) return unexplained(scene);
    const isOutside = status === 403 && forbidden(scene) === undefined;
    const isOtherStructure =
      isOutside && scene.facts.succeeded('path', scene.call.url) && Object.hasOwn(Object(scene.body), 'structure_id');
    const target = isOutside && !isOtherStructure ? 'a financing outside the perimeter' : 'a financing';
    const situation = ofOne(scene, { one: target, none: 'no financing', id: 'financing_id' });
    const outside = isOtherStructure ? 'to a structure outside the perimeter' : 'of a financing outside the perimeter';
    return {
      ...situation,
      from: { ...situation.from, ...structureOf(scene, isOtherStructure) },
      words: [...situation.words, ...(isOutside ? [outside] : [])],
    };
  }, limited),
};

function structureOf({ sample }: Scene, isOutside: boolean): Record<string, string> {
  const { structure_id: sent } = (sample.body ?? {}) as Record<string, unknown>;
  return Number.isInteger(sent) && Number(sent) > 0
    ? { 'body.$.structure_id': isOutside ? stateValue('other_structure_id') : stateValue('structure_id') }
    : {};
}

/** A request for one record: it exists, or it does not. A wrong id stays as it is. */
function ofOne({ call, found, sample }: Scene, { one, none, id }: { one: string; none: string; id: string }): Situation {
  const isId = /\/\d+$/.test(sample.path);
  if (!isId) return nothing;
  const path = found.path.replace(/\{.+\}$/, '');
  if (call.status === 404)
    return {
      ...nothing,
      states: [given(none, { [id]: unknownId })],
      sample: { ...sample, path: `${path}${unknownId}` },
      words: ['that does not exist'],
    };
  return { ...nothing, states: [given(one)], from: { path: stateValue(id, path) } };
}

function listOf(scene: Scene, list: List): Situation {
  const { rows, other, filters } = list;
  const { call, sample, query } = scene;
  if (call.status !== 200) return nothing;
  const asked = Object.entries(sample.query).filter(([name, [text = '']]) => text !== '' && Object.hasOwn(filters, name));
  const chosen = asked.map(
    ([name, [text = '']]) => [name, (filters[name] as List['filters'][string])(text, query[name]?.[0] ?? '')] as const,
  );
  const isLater = Number(query.page?.[0] ?? 1) > 1;
  const isSized = sample.query.per_page !== undefined;
  const none = isEmptyList(call.responseBody)
    ? unfound(
        chosen.map(([, filter]) => filter),
        list,
      )
    : undefined;
  const count = isLater && !isSized ? rowsOnFirstPage + 1 : pageSize + 1;
  const changed = {
    ...sample.query,
    ...Object.fromEntries(chosen.map(([name, filter]) => [name, [none?.asks(filter) ?? filter.asks]])),
    ...(isSized && { per_page: [String(pageSize)] }),
    ...(sample.query.page && { page: [isLater ? (none ? latePage : '2') : '1'] }),
  };
  const strange = chosen.filter(([, { asks }]) => asks === unknown).map(([name]) => `of an unknown ${name}`);
  const words = [...strange, ...(isLater ? ['after the first page'] : [])];
  if (none) {
    // Without a filter, and on the first page, there are no rows at all.
    const states = chosen.length === 0 && !isLater ? [] : none.states;
    return { states, sample: { ...sample, query: changed }, words: [...words, 'that finds nothing'] };
  }
  const wanted = Object.assign({}, ...chosen.map(([, filter]) => filter.rows));
  const others = chosen.flatMap(([, filter]) => (filter.others && other ? [given(other, { ...wanted, ...filter.others })] : []));
  return {
    states: [given(rows, { count, ...wanted }), ...others],
    sample: { ...sample, query: changed },
    words,
    fixed: Object.assign({}, ...chosen.map(([, filter]) => filter.fixed ?? {})) as Record<string, unknown>,
    ...(isSized && { most: pageSize }),
  };
}

interface Unfound {
  states: ProviderState[];
  /** What a request with this filter asks for. */
  asks(filter: Filter): string;
}

/** Rows that the filters together must not find. They fit all filters except those that ask for a value which no row has. */
function unfound(filters: readonly Filter[], { rows, other }: List): Unfound {
  const known = filters.filter(({ none }) => none === undefined);
  const wanted = Object.assign({}, ...known.map((filter) => filter.rows));
  const list = (fields: object) => given(rows, { count: pageSize + 1, ...fields });
  if (known.length < filters.length) return { states: [list(wanted)], asks: ({ none, asks }) => none ?? asks };
  if (other === undefined || filters.length === 0) return { states: [list({})], asks: ({ rare, asks }) => rare ?? asks };
  return { states: filters.map(({ others }) => given(other, { ...wanted, ...others })), asks: ({ asks }) => asks };
}

function isEmptyList(body: string): boolean {
  const { data } = fieldsOf(jsonOr(body, undefined));
  return Array.isArray(data) && data.length === 0;
}
