import { fieldsOf, isRecord } from '../../../spec/json.ts';
import type { ProviderState } from '../states/state.ts';
import { given, recreatedFor, type Situation, stateValue } from './caller.ts';
import { isDay } from './sample.ts';
import { LeftOut, type Recreated, type SampledRequest, type Scene } from './scene.ts';

/** The same in every pact, so that a store, product or reference of a run never stands in it. */
const store = 'STORE-1';
const unknownStore = 'STORE-404';
const unknownProduct = 'PROD-404';
const reference = 'S-20261121-7K3M9Q';
/** A multiple of the price of the first product that the state `a store` makes. */
const saleTotal = 9000;
const firstDay = '2026-11-01';
const lastDay = '2026-11-21';
const dayMs = 86_400_000;
/** The longest period of a report, in days. */
const longestPeriod = 366;
const limited = given("the plan's limit is used up", { plan: 'free' });

/** How each operation's reply is brought about again. */
export const posRecreations: Readonly<Record<string, (scene: Scene) => Recreated>> = {
  issueToken: (scene) => recreatedFor(scene, () => loginOf(scene)),
  createSale: (scene) => recreatedFor(scene, () => keyed(scene, saleOf(scene)), { limited }),
  payByMobileMoney: (scene) => recreatedFor(scene, () => keyed(scene, paymentOf(scene)), { limited }),
  readInventory: (scene) => recreatedFor(scene, () => ofStore(scene, given('a store', { store_id: store })), { limited }),
  reportSales: (scene) => {
    const sold = given('sales on a day', { store_id: store, date: lastDay });
    return recreatedFor(scene, () => withDates(scene, ofStore(scene, sold)), { limited });
  },
};

function loginOf({ call: { status }, body, sample, facts }: Scene): Situation {
  const states = [given('an account with an API key')];
  const from = { 'body.$.api_key': stateValue('api_key') };
  if (status === 200) return { states, from: { ...from, 'body.$.api_secret': stateValue('api_secret') }, words: [] };
  if (status !== 401) return { states, words: [] };
  const wrong = withFields(sample, { api_key: 'unknown-key', api_secret: 'wrong-secret' });
  return facts.succeeded('api_key', fieldsOf(body).api_key)
    ? { states, from, sample: wrong, words: ['of a known key and a wrong secret'] }
    : { states: [], sample: wrong, words: ['of an unknown key'] };
}

const linesOf = (body: unknown) => [fieldsOf(body).items].flat().map(fieldsOf);
/** The request with these fields in its body. A body that is not an object stays as it is. */
const withFields = (sample: SampledRequest, fields: Record<string, unknown>): SampledRequest =>
  isRecord(sample.body) ? { ...sample, body: { ...sample.body, ...fields } } : sample;

/** Adds the Idempotency-Key of a write. Under a key that was used, the reply depends on an earlier call. */
function keyed(scene: Scene, situation: Situation): Situation {
  const { [idempotencyKey]: key } = scene.call.requestHeaders;
  if (key === undefined) return situation;
  if (scene.isValid && scene.call.status === 400 && scene.facts.succeeded(idempotencyKey, key))
    throw new LeftOut('its reply depends on an earlier call with the same Idempotency-Key');
  const sample = situation.sample ?? scene.sample;
  const headers = { ...sample.headers, 'Idempotency-Key': 'till-4-000123' };
  return { ...situation, sample: { ...sample, headers }, words: [...situation.words, 'under an Idempotency-Key'] };
}
const idempotencyKey = 'idempotency-key';

/** The request with our store, or with one that does not exist. */
function ofStore(scene: Scene, known: ProviderState): Situation {
  const isUnknown = scene.call.status === 404;
  const { query } = scene.sample;
  const id = isUnknown ? unknownStore : store;
  const isNamed = (query.store_id?.[0] ?? '') !== '' && scene.query.store_id?.length === 1;
  return {
    states: [isUnknown ? given('no store', { store_id: unknownStore }) : known],
    sample: isNamed ? { ...scene.sample, query: { ...query, store_id: [id] } } : scene.sample,
    words: isUnknown ? ['of an unknown store'] : [],
  };
}

/** Keeps the order and distance of a report's dates, but not the dates themselves. */
function withDates({ query }: Scene, situation: Situation): Situation {
  const [start, end] = [query.start_date?.[0], query.end_date?.[0]].map((date = '') =>
    isDay(date) ? Date.parse(date) : Number.NaN,
  );
  const days = ((end as number) - (start as number)) / dayMs + 1;
  const [first, words] =
    days < 1
      ? ['2026-11-30', ['of a reversed period']]
      : days > longestPeriod
        ? ['2025-01-01', [`of more than ${longestPeriod} days`]]
        : [firstDay, []];
  const chosen: Record<string, string> = { start_date: first, end_date: lastDay };
  const sample = situation.sample as SampledRequest;
  const dates = Object.entries(sample.query).map(([name, texts]) => [
    name,
    texts.map((text) => (isDay(text) ? (chosen[name] ?? text) : text)),
  ]);
  return { ...situation, sample: { ...sample, query: Object.fromEntries(dates) }, words: [...situation.words, ...words] };
}

const sumOf = (lines: readonly Record<string, unknown>[]) =>
  lines.reduce((sum, { quantity, price }) => sum + Number(quantity) * Number(price), 0);

/**
 * A sale of our products. If the total was the sum of the lines, it is so in the pact too; if it was another amount, it is
 * another one there.
 */
function saleOf(scene: Scene): Situation {
  const { status } = scene.call;
  const body = fieldsOf(scene.sample.body);
  const sent = linesOf(scene.body).map(({ product_id: id }) => id);
  const isRepeated = new Set(sent).size < sent.length;
  const isRightTotal = !scene.isValid || Math.abs(sumOf(linesOf(scene.body)) - Number(fieldsOf(scene.body).total)) < 1e-6;
  const isUnknownStore = status === 404 && isStoreUnknown(scene);
  const isUnknownProduct = status === 404 && !isUnknownStore;
  const isShort = status === 400 && scene.isValid && isRightTotal;
  const idOf = (place: number) => (isUnknownProduct ? unknownProduct : `PROD-${isRepeated ? 1 : place + 1}`);
  const items = Array.isArray(body.items)
    ? linesOf(body).map((line, place) => (line.product_id ? { ...line, product_id: idOf(place) } : line))
    : body.items;
  const total = { total: sumOf(linesOf({ items })) + (isRightTotal ? 0 : 1) };
  const sample = withFields(scene.sample, {
    ...(body.store_id ? { store_id: isUnknownStore ? unknownStore : store } : {}),
    ...(items === undefined ? {} : { items }),
    ...(scene.isValid ? total : {}),
  });
  const goods = scene.isValid && !isUnknownProduct ? goodsOf(linesOf({ items }), isShort ? 0 : 100) : undefined;
  return {
    states: isUnknownStore ? [given('no store', { store_id: unknownStore })] : [given('a store', { store_id: store, ...goods })],
    sample,
    words: [
      ...(isUnknownStore ? ['in an unknown store'] : []),
      ...(isUnknownProduct ? ['of an unknown product'] : []),
      ...(isShort ? ['of more than there is in stock'] : []),
      ...(isRightTotal ? [] : ['of which the total is not the sum of the lines']),
      ...(isRepeated && scene.isValid ? ['of one product in several lines'] : []),
    ],
  };
}

/** True if a sale was refused for its store, false if for a product. Other calls show it, or the refusal quotes the product. */
function isStoreUnknown({ body, call, facts }: Scene): boolean {
  const { store_id } = fieldsOf(body);
  const products = linesOf(body).flatMap(({ product_id: id }) => (typeof id === 'string' ? [id] : []));
  if (facts.succeeded('store_id', store_id)) return false;
  if (products.every((id) => facts.succeeded('product_id', id))) return true;
  const quoted = new Set(call.responseBody.match(/[\p{L}\p{N}_-]+/gu));
  if (products.some((id) => quoted.has(id))) return false;
  if (typeof store_id === 'string' && quoted.has(store_id)) return true;
  throw new LeftOut('nothing shows whether its store or its product is unknown');
}

/** The products of a sale, for the state `a store`. */
function goodsOf(lines: readonly Record<string, unknown>[], quantity: number) {
  const all = new Map(lines.map(({ product_id, price }) => [product_id, { product_id, price, quantity }]));
  return { products: [...all.values()] };
}

function paymentOf(scene: Scene): Situation {
  const { status } = scene.call;
  const body = fieldsOf(scene.sample.body);
  const sold = { store_id: store, total: saleTotal };
  const isWhole = scene.isValid && Number.isInteger(body.amount);
  const sample = withFields(scene.sample, {
    ...(body.reference ? { reference } : {}),
    ...(isWhole ? { amount: saleTotal } : {}),
  });
  const isOver = status === 400 && scene.isValid;
  if (status === 404) return { states: [given('no sale', { reference })], sample, words: ['of an unknown sale'] };
  return {
    states: [given(isOver ? 'a paid sale' : 'a sale awaiting payment', sold)],
    ...(body.reference ? { from: { 'body.$.reference': stateValue('reference') } } : {}),
    sample,
    words: isOver ? ['of more than the sale still takes'] : [],
  };
}
