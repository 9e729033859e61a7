import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Certified } from '../gateway/start/tls.ts';
import { abilityNames } from '../gateway/store/tables/cohesion.ts';
import { type DeliverySelector, deliverySelectors, deliveryStatuses } from '../gateway/store/tables/webhooks.ts';
import { serviceNames } from '../spec/documents/services.ts';
import { isRecord } from '../spec/json.ts';
import type { CallFilter } from './journal/filter.ts';
import type { WaitOptions } from './journal/journal.ts';
import type { PaymentFilter } from './payments/types.ts';
import type { NewKey, NewOwnedEndpoint, NewProfileToken } from './profile/types.ts';
import {
  aDate,
  anyObject,
  callback,
  flag,
  objectOf,
  oneOf,
  optionsOf,
  refuseWrong,
  shown,
  text,
  textOrList,
  textOrNumber,
  textOrObject,
  texts,
  whole,
} from './takes.ts';
import type { Stub, StubOptions, WorldOptions } from './types.ts';
import type { DeliveryFilter, EventToSend, NewStubEndpoint, TriggerOptions } from './webhook-types.ts';

const endpointFields = {
  url: text,
  events: texts.nullish(),
  filter: anyObject.nullish(),
  secret: text.optional(),
  owner: text.optional(),
};
const takesEndpoint = 'an object with a url, such as { url: "http://127.0.0.1:3000/hook" }';
const endpoint = objectOf<NewStubEndpoint>('a field of an endpoint', endpointFields, takesEndpoint);

const takesCertified = 'true, false, or the files of a certificate and its key: { cert: "cert.pem", key: "key.pem" }';
const certified = objectOf<Certified<string>>('a file of tls', { cert: text, key: text }, takesCertified);

const takesByGap = "an object such as { 'pos.sale-status': '200' }";
const byGap = z.custom((value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'), takesByGap);

/** The options that may differ between a world and its stub. */
const ownOptions = () => ({
  seed: z.union([text, anyObject], '"demo", "empty", a file, or an object'),
  plan: text,
  limits: flag,
  clock: z.union([textOrNumber, aDate], 'text, a number or a Date'),
  faults: z.array(textOrObject, 'a list, in which each is text or an object'),
  faultSeed: textOrNumber,
  webhooks: z.array(endpoint, 'a list of endpoints'),
  secret: text,
  mobileMoney: textOrList,
  assume: z.union([byGap, textOrList], `${takesByGap}, text or a list of text`),
});

const worldOptions = () => optionsOf<WorldOptions>('an option of a world', { name: text, ...ownOptions() });

/** The options of `startStub`. A function, because a start without options needs no schema. */
const startOptions = () =>
  optionsOf<StubOptions>('an option of startStub', {
    port: whole(0, 65_535),
    host: text.min(1, 'an address, such as 127.0.0.1'),
    tls: z.union([flag, certified], takesCertified),
    ...ownOptions(),
    observed: z.union([text, anyObject], 'a file written by passerelle observe, or its content'),
    cors: texts,
    help: flag,
    console: flag,
    logLevel: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  });

/** The form of a call's id. An id of that form that is not known belongs to a call that was dropped. */
export const isCallId = (value: unknown): boolean => typeof value === 'string' && /^call_[0-9a-f]{32}$/.test(value);

const timeoutMs = z.custom((value) => typeof value === 'number' && value >= 0 && value < 2 ** 31, 'a number of milliseconds');
const signal = z.instanceof(AbortSignal, { error: 'an AbortSignal' });

function argumentsOfWebhooks() {
  const triggering = { validate: flag, duplicates: whole(0, 100), to: text, secret: text, owner: text };
  const event = { event: text, data: anyObject.optional(), on: textOrNumber.optional() };
  const selectors = Object.entries(deliverySelectors).map(([name, { kind }]) => [
    name,
    kind === 'text' ? text : whole(0, Number.MAX_SAFE_INTEGER),
  ]);
  const ofDeliveries: Record<DeliverySelector | 'status', z.ZodType> = {
    ...Object.fromEntries(selectors),
    status: oneOf(...deliveryStatuses),
  };
  return {
    trigger: {
      event: text,
      data: anyObject.optional(),
      options: optionsOf<TriggerOptions & Pick<EventToSend, 'on'>>('an option of stub.trigger', {
        ...triggering,
        on: textOrNumber,
      }),
    },
    triggerAll: {
      events: z.array(objectOf<EventToSend>('an option of stub.triggerAll', event), 'a list, in which each is an object'),
      options: optionsOf<TriggerOptions & { reorder: boolean }>('an option of stub.triggerAll', { ...triggering, reorder: flag }),
    },
    deliveries: {
      filter: optionsOf<Omit<DeliveryFilter, 'url' | 'where'> & { limit: number }>('an option of stub.deliveries', {
        ...ofDeliveries,
        limit: whole(1, Number.MAX_SAFE_INTEGER),
      }),
    },
    resend: { id: text },
    waitForDelivery: {
      filter: optionsOf<DeliveryFilter>('an option of stub.waitForDelivery', { ...ofDeliveries, url: text, where: callback }),
      options: optionsOf<Omit<WaitOptions, 'after'>>('an option of stub.waitForDelivery', { timeoutMs, signal }),
    },
  };
}

function argumentsOfCalls() {
  const after = z.custom(
    (value) => value === 'now' || isCallId(isRecord(value) ? value.id : value),
    "a call, a call's id, or 'now'",
  );
  const calls = optionsOf<CallFilter>('a field of a filter', {
    operation: text,
    method: text,
    path: z.union([text, z.instanceof(RegExp)], 'text or a pattern'),
    status: textOrNumber,
    where: callback,
  });
  return {
    calls: { filter: calls },
    waitForCall: {
      filter: calls,
      options: optionsOf<WaitOptions>('an option of stub.waitForCall', { timeoutMs, signal, after }),
    },
    expectCalls: { filter: calls },
    har: {
      options: optionsOf<NonNullable<Parameters<Stub['har']>[0]>>('an option of stub.har', { secrets: flag, filter: calls }),
    },
  };
}

const argumentsOfProfile = () => ({
  'profile.createToken': {
    token: objectOf<NewProfileToken>('a field of a token', {
      user: textOrNumber.optional(),
      name: text,
      abilities: z.array(oneOf(...abilityNames), 'a list of abilities').optional(),
      structures: z.array(whole(1, 2 ** 31 - 1), 'a list of ids').nullish(),
      expiresAt: z.union([textOrNumber, aDate], 'text, a number or a Date').nullish(),
    }),
  },
  'profile.createKey': { key: optionsOf<NewKey>('a field of a key', { account: text }) },
  'profile.createEndpoint': {
    endpoint: objectOf<NewOwnedEndpoint>(
      'a field of an endpoint',
      { ...endpointFields, perimeter: z.array(textOrNumber, 'a list of ids').nullish() },
      takesEndpoint,
    ),
  },
  'profile.endpoints': { owner: text.optional() },
  'profile.deliveries': { owner: text.optional() },
});

/** The arguments of a stub's members, with their names and in their order. A member is named by its path. */
const argumentsOfMembers = (): Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> => ({
  ...argumentsOfWebhooks(),
  ...argumentsOfCalls(),
  ...argumentsOfProfile(),
  subscribe: { listener: callback },
  world: { options: worldOptions() },
  'clock.advance': { duration: z.union(textOrNumber.options, 'a duration such as 72h, or milliseconds') },
  'endpoints.add': { endpoint },
  'endpoints.remove': { id: text },
  'payments.list': { filter: optionsOf<PaymentFilter>('a field of a filter', { status: text, reference: text }) },
  'payments.settle': { id: text, as: text.optional() },
  'assumptions.add': { assumed: byGap },
  'assumptions.replace': { assumed: byGap },
  'assumptions.remove': { gap: text },
  'faults.add': { rule: textOrObject },
  'faults.remove': { id: text },
});

let members: ReturnType<typeof argumentsOfMembers> | undefined;

/**
 * Throws `CouldNotRun` if an argument of a member is not what it takes: in JavaScript a misspelt option would have no effect,
 * and a test would pass for the wrong reason. `member`: its path, such as `endpoints.add`.
 */
export function checkArguments(member: string, args: readonly unknown[]): void {
  members ??= argumentsOfMembers();
  for (const [at, [name, schema]] of Object.entries(members[member] ?? {}).entries())
    refuseWrong(args[at], schema, `stub.${member}: ${name}`);
}

/** Throws `CouldNotRun` for an API or an option of `startStub` that cannot be used. */
export function checkStart(api: unknown, options: unknown): void {
  if (!(serviceNames as readonly unknown[]).includes(api))
    throw new CouldNotRun(
      `${typeof api === 'string' ? `"${api}"` : shown(api)} is not an API. Use ${serviceNames.join(' or ')}.`,
    );
  refuseWrong(options, startOptions(), 'startStub: options');
  if ((options as StubOptions | undefined)?.plan !== undefined && api !== 'pos')
    throw new CouldNotRun(`plan: only accounts of pos have a plan. Leave it out for ${api}.`);
}
