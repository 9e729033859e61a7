import { fieldsOf, isRecord, type Json } from '../../../spec/json.ts';
import type { Schema } from '../../../spec/openapi/document.ts';
import type { ProviderState } from '../states/state.ts';
import { type Draft, LeftOut, linesOf } from './draft.ts';
import { usualOf } from './sample.ts';

const given = (name: string, params: Json = {}): ProviderState => ({ name, params });
/** A value of a state, in the form of Pact's generators. */
const valueOfState = (name: string, before = '') => ({ expression: `${before}\${${name}}`, type: 'ProviderState' });

/** True if the field has the usual value of the document. Another value stays as it is, because it may be the reason of a refusal. */
const isUsual = (record: unknown, schema: Schema | undefined, name: string): record is Json =>
  isRecord(record) && Object.hasOwn(record, name) && String(record[name]) === String(usualOf(schema?.properties?.[name] ?? {}));

function put(record: unknown, schema: Schema | undefined, name: string, value: unknown): void {
  if (isUsual(record, schema, name)) record[name] = value;
}

/** Lets a state give the value of a field of the body. */
function take({ request, schemas, generators }: Draft, name: string, value = name): void {
  if (isUsual(request.body, schemas.body, name)) generators.body = { ...generators.body, [`$.${name}`]: valueOfState(value) };
}

/** The same in every pact, so that no store, product or reference of a run stands in it. */
const [store, unknownStore, unknownId] = ['STORE-1', 'STORE-404', 999_999];
const reference = 'S-20261121-7K3M9Q';
/** A multiple of the price of the first product that the state `a store` makes. */
const saleTotal = 9000;

/** By operationId: how the reply is brought about again: states, values of the request that must fit them, and words. */
const situations: Readonly<Record<string, (draft: Draft) => void>> = {
  issueToken,
  createSale,
  payByMobileMoney,
  readInventory: (draft) => askStore(draft, given('a store', { store_id: store })),
  reportSales,
  readMe() {},
  listIndicators: (draft) =>
    askList(draft, 'indicators', {
      type: { field: 'type' },
      kpi: { field: 'is_kpi' },
      q: { field: 'intitule', asks: 'médiations', row: 'Nombre de médiations', none: 'introuvable' },
    }),
  listInterventions: (draft) =>
    askList(draft, 'interventions', {
      statut: { field: 'statut', asks: 'en_cours', none: 'suspendu' },
      region: { field: 'region', asks: 'Gbêkê', none: 'Bounkani' },
      annee: { field: 'annee', asks: '2026', row: 2026, none: '1999' },
      q: { field: 'intitule', asks: 'Dialogue', row: 'Dialogue intercommunautaire', none: 'introuvable' },
    }),
  listStructures: (draft) =>
    askList(draft, 'structures', {
      type: { field: 'type', asks: 'ong', none: 'ministere' },
      region: { field: 'region', asks: 'Gbêkê', none: 'Bounkani' },
      q: { field: 'nom', asks: 'Comité', row: 'Comité de paix', none: 'introuvable' },
    }),
  readIndicator: (draft) => askOne(draft, 'an indicator', 'no indicator', 'indicator_id'),
  readStats({ status, states, request }) {
    const params = request.query.annee === undefined ? {} : { annee: 2026 };
    if (status === 200) states.push(given('statistics of a year', params));
  },
  createFinancing(draft) {
    take(draft, 'structure_id', isOutside(draft) ? 'other_structure_id' : 'structure_id');
    if (isOutside(draft)) draft.words.push('for a structure outside the perimeter');
  },
  updateFinancing(draft) {
    const state = isOutside(draft) ? 'a financing outside the perimeter' : 'a financing';
    askOne(draft, state, 'no financing', 'financing_id');
    take(draft, 'structure_id');
    if (isOutside(draft)) draft.words.push('of a financing outside the perimeter');
  },
};

/** Adds to a draft how its reply is brought about again. Throws `LeftOut`. */
export function situate(draft: Draft): void {
  const { operationId = '', security } = draft.found.operation;
  const add = situations[operationId];
  if (add === undefined) throw new LeftOut('no state recreates this operation');
  const isSecured = security?.length !== 0;
  const hasLimit = isSecured && (draft.service === 'pos' || draft.found.method !== 'GET');
  if (draft.status === 429 && !hasLimit) throw new LeftOut('no state uses up the limit of this operation');
  add(draft);
  if (isSecured) addCaller(draft);
}

/** Adds the token of the caller. It is found by the Authorization header and the replies to it in the whole recording. */
function addCaller(draft: Draft): void {
  const { service, status, found, sent, request, facts } = draft;
  const { authorization: token = '' } = sent.headers;
  const { 'x-ability': ability } = found.operation;
  // A request that is refused for its token needs no data.
  if (status === 401) Object.assign(draft, { states: [], generators: {}, words: [] });
  const send = (authorization: string, words: string) => {
    request.headers.Authorization = authorization;
    draft.words.unshift(words);
  };
  const give = (state: ProviderState, ...words: string[]) => {
    request.headers.Authorization = 'Bearer example';
    draft.generators.header = { Authorization: valueOfState('token', 'Bearer ') };
    draft.states.unshift(state);
    draft.words.unshift(...words);
  };
  if (token === '') draft.words.unshift('without a token');
  else if (!/^Bearer /i.test(token)) send('Token not-a-token', 'with another scheme than Bearer');
  else if (status === 401 && !facts('a known token', token)) send('Bearer not-a-token', 'with an unknown token');
  else if (status === 401) give(given('an expired access token'), 'with an expired token');
  else if (status === 429) give(given(service === 'pos' ? "the plan's limit is used up" : 'the write limit is used up'));
  else if (service === 'pos' || status !== 403 || isOutside(draft)) give(given('an access token'));
  else if (ability === undefined) give(given('an access token of an inactive user'), 'by an inactive user');
  else give(given('an access token without the ability', { ability }), `without the ability ${ability}`);
}

/** True if a token that may write was forbidden to: what it writes is outside its perimeter. */
const isOutside = ({ status, sent, facts }: Draft) => status === 403 && facts('a writer', sent.headers.authorization ?? '');

function issueToken(draft: Draft): void {
  const { request, schemas, sent, status, facts, states, words } = draft;
  if (status !== 200 && status !== 401) return;
  const isKnown = status === 200 || facts('api_key', fieldsOf(sent.body).api_key);
  if (isKnown) states.push(given('an account with an API key'));
  if (isKnown) take(draft, 'api_key');
  else put(request.body, schemas.body, 'api_key', 'unknown-key');
  if (status === 200) take(draft, 'api_secret');
  else put(request.body, schemas.body, 'api_secret', 'wrong-secret');
  if (status === 401) words.push(isKnown ? 'of a known key and a wrong secret' : 'of an unknown key');
}

const sumOf = (lines: readonly Json[]) => lines.reduce((sum, { quantity, price }) => sum + Number(quantity) * Number(price), 0);

/** A sale of our products. Its total is the sum of the lines, or is not, as it was. */
function createSale(draft: Draft): void {
  const { sent, status, request, schemas, states, words, isValid } = draft;
  const { items, total } = fieldsOf(sent.body);
  const isRightTotal = !isValid || Math.abs(sumOf(linesOf(items)) - Number(total)) < 1e-6;
  const missing = status === 404 ? missingIn(draft) : undefined;
  const isShort = status === 400 && isValid && isRightTotal;
  put(request.body, schemas.body, 'store_id', missing === 'store' ? unknownStore : store);
  const lines = linesOf(fieldsOf(request.body).items);
  for (const [place, line] of lines.entries())
    put(line, schemas.body?.properties?.items?.items, 'product_id', `PROD-${missing === 'product' ? 404 : place + 1}`);
  if (isValid) Object.assign(fieldsOf(request.body), { total: sumOf(lines) + (isRightTotal ? 0 : 1) });
  const quantity = isShort ? 0 : 100;
  const products = lines.map(({ product_id, price }) => ({ product_id, price, quantity }));
  if (missing === 'store') states.push(given('no store', { store_id: unknownStore }));
  else states.push(given('a store', { store_id: store, ...(isValid && missing === undefined && { products }) }));
  if (missing !== undefined) words.push(missing === 'store' ? 'in an unknown store' : 'of an unknown product');
  if (isShort) words.push('of more than there is in stock');
  if (!isRightTotal) words.push('of which the total is not the sum of the lines');
}

/** Finds whether a sale was refused for its store or for a product. Other calls show it. */
function missingIn({ facts, sent }: Draft): 'store' | 'product' {
  const { store_id, items } = fieldsOf(sent.body);
  if (facts('store_id', store_id)) return 'product';
  if (linesOf(items).every(({ product_id: id }) => facts('product_id', id))) return 'store';
  throw new LeftOut('nothing shows whether its store or its product is unknown');
}

function payByMobileMoney(draft: Draft): void {
  const { status, request, schemas, states, words, isValid } = draft;
  put(request.body, schemas.body, 'amount', saleTotal);
  if (status === 404) {
    put(request.body, schemas.body, 'reference', reference);
    states.push(given('no sale', { reference }));
    words.push('of an unknown sale');
    return;
  }
  const isPaid = status === 400 && isValid;
  take(draft, 'reference');
  states.push(given(isPaid ? 'a paid sale' : 'a sale awaiting payment', { store_id: store, total: saleTotal }));
  if (isPaid) words.push('of more than the sale still takes');
}

/** A request for a store: ours, or one that does not exist. */
function askStore({ status, request, schemas, states, words }: Draft, known: ProviderState): void {
  const isUnknown = status === 404;
  put(request.query, schemas.query, 'store_id', isUnknown ? unknownStore : store);
  states.push(isUnknown ? given('no store', { store_id: unknownStore }) : known);
  if (isUnknown) words.push('of an unknown store');
}

/** A report of days of every pact. A reversed period stays reversed. */
function reportSales(draft: Draft): void {
  const { request, schemas, sent, words } = draft;
  askStore(draft, given('sales on a day', { store_id: store, date: '2026-11-21' }));
  const { start_date = '', end_date = '' } = sent.query;
  if (!(Date.parse(start_date) > Date.parse(end_date))) return;
  put(request.query, schemas.query, 'start_date', '2026-11-30');
  words.push('of a reversed period');
}

/** A request for one record: it exists, or it does not. */
function askOne(draft: Draft, one: string, none: string, id: string): void {
  const { status, request, found, states, words, generators } = draft;
  const path = found.path.replace(/\{.+\}$/, '');
  if (status !== 404) {
    states.push(given(one));
    generators.path = valueOfState(id, path);
    return;
  }
  request.path = `${path}${unknownId}`;
  states.push(given(none, { [id]: unknownId }));
  words.push('that does not exist');
}

/** A filter of a list. Without `asks`, the request keeps its value, because the document knows all values. */
interface Filter {
  /** The field of a row that it compares. */
  field: string;
  asks?: string;
  /** The field's value in the rows that it finds, if it is another than `asks`. */
  row?: unknown;
  /** Asks for what no row has. */
  none?: string;
}

/** A page that is not the last one of three rows, and the rows on a page without `per_page`. */
const [pageSize, rowsOnFirstPage] = [2, 25];

/** A request for a list. The state `rows` also makes a row that differs in each field, which a filter must not find. */
function askList(draft: Draft, rows: string, filters: Readonly<Record<string, Filter>>): void {
  const { status, sent, reply, request, states, words, fixed } = draft;
  if (status !== 200) return;
  const { query } = request;
  const { data } = fieldsOf(reply.body);
  const isEmpty = Array.isArray(data) && data.length === 0;
  const isLater = Number(sent.query.page ?? 1) > 1;
  const isSized = query.per_page !== undefined;
  const made: Json = {};
  // Without a value that no row has, a list is empty because there are no rows at all.
  let isMissed = isLater;
  for (const [name, { field, asks = query[name], row = asks, none }] of Object.entries(filters)) {
    if (!query[name] || asks === undefined) continue;
    isMissed ||= none !== undefined;
    query[name] = isEmpty ? (none ?? asks) : asks;
    made[field] = field === 'is_kpi' ? /^(1|true)$/.test(asks) : row;
    fixed[`$.data[*].${field}`] = name === 'q' ? new RegExp(`^.*${asks}.*$`) : made[field];
  }
  if (isSized) query.per_page = String(pageSize);
  if (isSized && !isEmpty) draft.most = pageSize;
  if (isLater) query.page = isEmpty ? '999' : '2';
  if (isLater) words.push('after the first page');
  if (isEmpty) words.push('that finds nothing');
  const count = isLater && !isSized ? rowsOnFirstPage + 1 : pageSize + 1;
  if (!isEmpty) states.push(given(rows, { count, ...made }));
  else if (isMissed) states.push(given(rows));
}
