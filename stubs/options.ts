import { serviceNames } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { abilityNames } from '../gateway/store/tables/cohesion.ts';
import type { CallFilter } from './journal/filter.ts';
import type { WaitOptions } from './journal/journal.ts';
import type { PaymentFilter } from './payments/types.ts';
import type { NewKey, NewOwnedEndpoint, NewProfileToken } from './profile/types.ts';
import {
  anyObject,
  callback,
  either,
  type Fields,
  flag,
  instance,
  type Kind,
  listOf,
  objectWith,
  oneOf,
  refuseWrong,
  required,
  shown,
  text,
  textOrNumber,
  textOrObject,
  whole,
} from './takes.ts';
import type { Stub, StubOptions } from './types.ts';
import type { DeliveryFilter, EventToSend, NewStubEndpoint, TriggerOptions } from './webhook-types.ts';

const nothing: Kind = { takes: 'null', accepts: (value) => value === null };
const aDate = instance('a Date', Date);

const endpointFields: Fields<NewStubEndpoint> = {
  url: required(text),
  events: either(listOf(text), nothing),
  secret: text,
  owner: text,
};
const endpoint: Kind = {
  ...objectWith<NewStubEndpoint>(endpointFields, 'a field of an endpoint'),
  takes: 'an object with a url, such as { url: "http://127.0.0.1:3000/hook" }',
};

const ownedEndpoint: Fields<NewOwnedEndpoint> = {
  ...endpointFields,
  perimeter: either(listOf(textOrNumber), nothing),
};
const newToken: Fields<NewProfileToken> = {
  user: textOrNumber,
  name: required(text),
  abilities: listOf(oneOf(...abilityNames)),
  structures: either(listOf(whole(1, 2 ** 31 - 1)), nothing),
  expiresAt: either(textOrNumber, aDate, nothing),
};

const byGap: Kind = {
  takes: "an object such as { 'pos.sale-status': '200' }",
  accepts: (value) => anyObject.accepts(value) && Object.values(value as object).every(text.accepts),
};
const assumed = either(byGap, text, listOf(text));

const startOptions: Fields<StubOptions> = {
  port: whole(0, 65_535),
  host: { takes: 'an address, such as 127.0.0.1', accepts: (value) => typeof value === 'string' && value !== '' },
  seed: { ...textOrObject, takes: '"demo", "empty", a file, or an object' },
  plan: text,
  limits: flag,
  clock: either(textOrNumber, aDate),
  faults: listOf(textOrObject),
  faultSeed: textOrNumber,
  webhooks: listOf(endpoint),
  secret: text,
  mobileMoney: either(text, listOf(text)),
  assume: assumed,
  observed: { ...textOrObject, takes: 'a file written by passerelle observe, or its content' },
  cors: listOf(text),
  help: flag,
  console: flag,
  logLevel: oneOf('silent', 'error', 'warn', 'info', 'debug'),
};

const triggerOptions: Fields<TriggerOptions> = { validate: flag, duplicates: whole(0, 100), to: text, secret: text, owner: text };
const eventToSend: Fields<EventToSend> = { event: required(text), data: anyObject, on: textOrNumber };

const deliveryFields: Fields<Omit<DeliveryFilter, 'url' | 'where'>> = {
  event_type: text,
  status: oneOf('pending', 'delivered', 'failed', 'skipped'),
  endpoint_id: text,
  event_id: text,
};
const deliveryFilter: Fields<DeliveryFilter> = { ...deliveryFields, url: text, where: callback };

const callFilter: Fields<CallFilter> = {
  operation: text,
  method: text,
  path: either(text, instance('a pattern', RegExp)),
  status: textOrNumber,
  where: callback,
};

/** The form of a call's id. An id of that form that is not known belongs to a call that was dropped. */
export const isCallId = (value: unknown): boolean => typeof value === 'string' && /^call_[0-9a-f]{32}$/.test(value);

const timeoutMs: Kind = {
  takes: 'a number of milliseconds',
  accepts: (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
};
const waitOptions: Fields<WaitOptions> = {
  timeoutMs,
  signal: instance('an AbortSignal', AbortSignal),
  after: {
    takes: "a call, a call's id, or 'now'",
    accepts: (value) =>
      value === 'now' || isCallId(typeof value === 'object' && value !== null && 'id' in value ? value.id : value),
  },
};
const { timeoutMs: _timeout, signal } = waitOptions;

const calls = objectWith<CallFilter>(callFilter, 'a field of a filter');

/** What the members of a stub take: the arguments by their names, in their order. Members are named by their path. */
const argumentsOf: Readonly<Record<string, Fields>> = {
  trigger: { event: required(text), data: anyObject, options: objectWith({ ...triggerOptions, on: textOrNumber }) },
  triggerAll: {
    events: required(listOf(objectWith(eventToSend))),
    options: objectWith({ ...triggerOptions, reorder: flag }),
  },
  deliveries: { filter: objectWith({ ...deliveryFields, limit: whole(1, Number.MAX_SAFE_INTEGER) }) },
  resend: { id: required(text) },
  waitForDelivery: { filter: objectWith(deliveryFilter), options: objectWith({ timeoutMs, signal }) },
  calls: { filter: calls },
  waitForCall: { filter: calls, options: objectWith(waitOptions) },
  expectCalls: { filter: calls },
  har: { options: objectWith<NonNullable<Parameters<Stub['har']>[0]>>({ secrets: flag, filter: calls }) },
  subscribe: { listener: required(callback) },
  'clock.advance': { duration: required({ ...textOrNumber, takes: 'a duration such as 27h, or milliseconds' }) },
  'profile.createToken': { token: required(objectWith<NewProfileToken>(newToken, 'a field of a token')) },
  'profile.createKey': { key: objectWith<NewKey>({ account: text }, 'a field of a key') },
  'profile.createEndpoint': { endpoint: required({ ...endpoint, fields: ownedEndpoint }) },
  'profile.endpoints': { owner: text },
  'profile.deliveries': { owner: text },
  'endpoints.add': { endpoint: required(endpoint) },
  'endpoints.remove': { id: required(text) },
  'payments.list': { filter: objectWith<PaymentFilter>({ status: text, reference: text }, 'a field of a filter') },
  'payments.settle': { id: required(text), as: text },
  'assumptions.add': { assumed: required(byGap) },
  'assumptions.replace': { assumed: required(byGap) },
  'assumptions.remove': { gap: required(text) },
  'faults.add': { rule: required(textOrObject) },
  'faults.remove': { id: required(text) },
};

/**
 * Throws `CouldNotRun` if an argument of a member is not what it takes: in JavaScript a misspelt option would have no effect,
 * and a test would pass for the wrong reason. `member`: its path, such as `endpoints.add`.
 */
export function checkArguments(member: string, args: readonly unknown[]): void {
  for (const [at, [name, kind]] of Object.entries(argumentsOf[member] ?? {}).entries())
    refuseWrong(args[at], kind, `stub.${member}: ${name}`, `an option of stub.${member}`);
}

/** Throws `CouldNotRun` for an API or an option of `startStub` that cannot be used. */
export function checkStart(api: unknown, options: unknown): void {
  if (!(serviceNames as readonly unknown[]).includes(api))
    throw new CouldNotRun(
      `${typeof api === 'string' ? `"${api}"` : shown(api)} is not an API. Use ${serviceNames.join(' or ')}.`,
    );
  refuseWrong(options, objectWith(startOptions), 'startStub: options', 'an option of startStub');
  if ((options as StubOptions | undefined)?.plan !== undefined && api !== 'pos')
    throw new CouldNotRun(`plan: only accounts of pos have a plan. Leave it out for ${api}.`);
}
