/** What the other social-cohesion service does: its routes, and what users do on its pages. */
import type { IncomingMessage } from 'node:http';
import type { Financing, Indicator, Structure, Token, World } from './cohesion-data.ts';
import { Hooks } from './cohesion-hooks.ts';

export type Fields = Record<string, unknown>;

/** An answer that ends the call. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const invalid = (message: string) => new Refused(422, 'validation_failed', message);
export const notFound = () => new Refused(404, 'not_found', 'There is no such resource');

interface Call {
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The last part of the path. */
  id: number;
  token: Token;
  body(): Fields;
}

export interface Answer {
  status?: number;
  body?: unknown;
}

interface Route {
  ability?: string;
  answer(call: Call): Answer;
}

const kinds = ['bailleur', 'don', 'pret', 'subvention'];
const statuses = ['promis', 'obtenu'];
export const writesPerMinute = 30;

const listed = (indicator: Indicator) => ({
  ...indicator,
  taux_atteinte: rateOf(indicator),
  alert_state: stateOf(indicator),
});
const rateOf = ({ valeur_courante, cible_annuelle }: Indicator) =>
  cible_annuelle === 0 ? 0 : Math.round((valeur_courante / cible_annuelle) * 10_000) / 10_000;
const stateOf = (indicator: Indicator) => {
  const rate = rateOf(indicator);
  return rate >= 0.8 ? 'none' : rate >= 0.6 ? 'warning' : 'critical';
};
/** Microseconds, of which the clock knows three digits. */
const timeText = (time: Date) => time.toISOString().replace('Z', '000Z');

export class Service {
  readonly #world: World;
  readonly #hooks: Hooks;
  readonly #financings: Financing[] = [];
  readonly #used = new Map<Token, Date>();
  #written = 0;
  #windowEnds = 0;

  constructor(world: World) {
    this.#world = world;
    this.#hooks = new Hooks(world.hooks);
  }

  readonly routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
    '/api/v1/me': { GET: { answer: ({ token }) => ({ body: { data: this.#me(token) } }) } },
    '/api/v1/indicateurs': {
      GET: { ability: 'read:indicators', answer: ({ query }) => ({ body: this.#page(this.#indicators(query), query, true) }) },
    },
    '/api/v1/indicateurs/{id}': {
      GET: { ability: 'read:indicators', answer: ({ id }) => ({ body: listed(this.#indicator(id)) }) },
    },
    '/api/v1/interventions': {
      GET: {
        ability: 'read:interventions',
        answer: ({ query }) => ({ body: this.#page(this.#interventions(query), query, true) }),
      },
    },
    '/api/v1/structures': {
      GET: { ability: 'read:structures', answer: ({ query }) => ({ body: this.#page(this.#structures(query), query, false) }) },
    },
    '/api/v1/stats': { GET: { ability: 'read:stats', answer: ({ query }) => ({ body: this.#stats(query) }) } },
    '/api/v1/financements': { POST: { ability: 'write:financements', answer: (call) => this.#create(call) } },
    '/api/v1/financements/{id}': { PUT: { ability: 'write:financements', answer: (call) => this.#update(call) } },
  };

  /** Finds the token of a call, and refuses a call without one. */
  tokenOf({ authorization = '' }: IncomingMessage['headers']): Token {
    const [, sent] = /^Bearer (.+)$/.exec(authorization) ?? [];
    const token = this.#world.tokens.find((one) => one.token === sent);
    if (!token) throw new Refused(401, sent === undefined ? 'token_missing' : 'invalid_token', 'A valid token is needed');
    this.#used.set(token, new Date());
    return token;
  }

  /** Counts a write of the current minute. Returns how many are left. */
  countWrite(): number {
    if (Date.now() >= this.#windowEnds) [this.#written, this.#windowEnds] = [0, Date.now() + 60_000];
    this.#written += 1;
    if (this.#written > writesPerMinute) throw new Refused(429, 'too_many_writes', 'Too many writes in this minute');
    return writesPerMinute - this.#written;
  }

  #me(token: Token) {
    const { name, abilities, user } = token;
    return { user, token: { name, abilities, last_used_at: timeText(this.#used.get(token) ?? new Date()) } };
  }

  /** The newest rows are the first. */
  #page<R extends { id: number }>(rows: R[], query: URLSearchParams, isLengthTaken: boolean) {
    const asked = isLengthTaken ? Number(query.get('per_page') ?? 25) : 25;
    if (!Number.isInteger(asked)) throw invalid('per_page must be an integer');
    const length = Math.min(100, Math.max(1, asked));
    const page = Math.max(1, Math.trunc(Number(query.get('page') ?? 1)) || 1);
    const last = Math.ceil(rows.length / length);
    if (page > Math.max(1, last)) throw notFound();
    const sorted = rows.toSorted((one, other) => other.id - one.id);
    return {
      data: sorted.slice((page - 1) * length, page * length),
      meta: { page, per_page: length, total: rows.length, last_page: last },
    };
  }

  #indicators(query: URLSearchParams) {
    const type = oneOf(query, 'type', ['activite', 'resultat', 'impact']);
    const kpi = oneOf(query, 'kpi', ['true', 'false', '1']);
    return this.#world.indicators
      .filter((one) => (type === undefined || one.type === type) && (kpi === undefined || one.is_kpi === (kpi !== 'false')))
      .filter((one) => isFound(query, one.intitule))
      .map(listed);
  }

  #indicator(id: number): Indicator {
    const found = this.#world.indicators.find((one) => one.id === id);
    if (!found) throw notFound();
    return found;
  }

  #interventions(query: URLSearchParams) {
    const statut = oneOf(query, 'statut', ['en_cours', 'suspendu', 'termine', 'approuve']);
    const annee = yearIn(query);
    return this.#world.interventions
      .filter((one) => one.statut !== 'brouillon' && (statut === undefined || one.statut === statut))
      .filter((one) => (annee === undefined || one.annee === annee) && isIn(query, 'region', one.region))
      .filter((one) => isFound(query, one.intitule))
      .map(({ structure_id, ...one }) => ({ ...one, structure: this.#structure(structure_id) }));
  }

  #structure(id: number): Structure | undefined {
    return this.#world.structures.find((one) => one.id === id);
  }

  #structures(query: URLSearchParams): Structure[] {
    const type = oneOf(query, 'type', ['ong', 'ministere', 'partenaire']);
    return this.#world.structures
      .filter((one) => (type === undefined || one.type === type) && isIn(query, 'region', one.region))
      .filter((one) => isFound(query, one.intitule));
  }

  #stats(query: URLSearchParams) {
    const annee = yearIn(query) ?? new Date().getUTCFullYear();
    const interventions = this.#world.interventions.filter((one) => one.annee === annee && one.statut !== 'brouillon');
    if (interventions.length === 0) throw notFound();
    const financings = this.#financings.filter((one) => one.exercice === annee);
    return {
      annee,
      interventions: interventions.length,
      indicateurs: this.#world.indicators.length,
      structures: this.#world.structures.length,
      financements: { nombre: financings.length, montant: financings.reduce((sum, { montant }) => sum + montant, 0) },
    };
  }

  #create({ token, body }: Call): Answer {
    const fields = this.#financing(token, body(), 'promis');
    if (this.#financings.some(({ id: _, ...stored }) => JSON.stringify(stored) === JSON.stringify(fields)))
      throw invalid('An identical financing is already stored');
    const stored = { id: this.#financings.length + 1, ...fields };
    this.#financings.push(stored);
    return { body: { data: stored } };
  }

  #update({ token, id, body }: Call): Answer {
    const sent = body();
    const stored = this.#financings.find((one) => one.id === id);
    if (!stored) throw notFound();
    if (!token.structures.includes(stored.structure_id)) throw outside();
    const fields = this.#financing(token, sent, undefined);
    if (statuses.indexOf(fields.statut) < statuses.indexOf(stored.statut))
      throw invalid(`statut must not go back to ${fields.statut}`);
    Object.assign(stored, fields);
    return { status: 204 };
  }

  /** `statut`: what a body without one means. */
  #financing(token: Token, sent: Fields, statut: string | undefined): Omit<Financing, 'id'> {
    const { structure_id, exercice, bailleur, type, intitule, montant } = sent;
    const wanted = { ...sent, statut: sent.statut ?? statut, devise: sent.devise ?? 'EUR' };
    for (const name of ['structure_id', 'exercice'])
      if (!Number.isInteger(sent[name])) throw invalid(`${name} must be an integer`);
    for (const name of ['bailleur', 'intitule'])
      if (typeof sent[name] !== 'string' || sent[name] === '') throw invalid(`${name} must be a text`);
    if (!kinds.includes(String(type))) throw invalid(`type must be one of ${kinds.join(', ')}`);
    if (typeof montant !== 'number' || montant <= 0) throw invalid('montant must be a number above 0');
    if (!statuses.includes(String(wanted.statut))) throw invalid(`statut must be one of ${statuses.join(', ')}`);
    if (!/^[A-Z]{3}$/.test(String(wanted.devise))) throw invalid('devise must have three capital letters');
    if (!token.structures.includes(Number(structure_id))) throw outside();
    return {
      structure_id: Number(structure_id),
      exercice: Number(exercice),
      bailleur: String(bailleur),
      type: String(type),
      intitule: String(intitule),
      montant,
      devise: String(wanted.devise),
      statut: String(wanted.statut),
    };
  }

  /** Changes the status of an intervention as a user does on a page of the service. Resolves when its webhook was accepted or given up. */
  async move(id: number, statut: 'approuve' | 'termine' | 'suspendu', user: { id: number; name: string }): Promise<void> {
    const found = this.#world.interventions.find((one) => one.id === id);
    if (!found) throw new Error(`There is no intervention ${id}`);
    found.statut = statut;
    await this.#hooks.moved(found, user);
  }

  async measure(id: number, value: number): Promise<void> {
    const found = this.#indicator(id);
    const before = stateOf(found);
    found.valeur_courante = value;
    if (stateOf(found) !== before && stateOf(found) !== 'none') await this.#hooks.send('indicator.alert', { indicator_id: id });
  }

  closePlan = (exercice: number): Promise<void> =>
    this.#hooks.send('plan.closed', { exercice, date_cloture: timeText(new Date()) });

  finishReport = (id: number): Promise<void> =>
    this.#hooks.send('rapport.ready', { rapport_id: id, url: `https://cohesion.example/rapports/${id}.pdf` });
}

const outside = () => new Refused(403, 'outside_perimeter', 'This lies outside of the perimeter of the token');

function oneOf(query: URLSearchParams, name: string, known: readonly string[]): string | undefined {
  const value = query.get(name) ?? undefined;
  if (value !== undefined && !known.includes(value)) throw invalid(`${name} must be one of ${known.join(', ')}`);
  return value;
}

function yearIn(query: URLSearchParams): number | undefined {
  const value = query.get('annee');
  if (value !== null && !/^\d{4}$/.test(value)) throw invalid('annee must be a year of four digits');
  return value === null ? undefined : Number(value);
}

const isIn = (query: URLSearchParams, name: string, value: string) => (query.get(name) ?? value) === value;
const isFound = (query: URLSearchParams, text: string) => text.toLowerCase().includes((query.get('q') ?? '').toLowerCase());
