import type { FastifyContextConfig } from 'fastify';
import { headerOfKind, type RefusalKind } from '../base/errors.ts';
import type { Api, LimitRule, LimitRules } from './api.ts';
import { publicBodyBytes } from './body-bounds.ts';
import { isShown } from './limit/limit.ts';
import type { Document } from './openapi-components.ts';
import { ofEveryCall, ofEveryReply, type ReplyHeader } from './reply-headers.ts';

/** What OpenAPI documents say of limits, abilities and headers. All of it follows from what the request pipeline enforces. */

/** One limit of an operation, as `x-throttle` lists it. */
export interface Throttle {
  limit: string;
  /** The kind of caller that has this limit. Kinds without an entry are unlimited. */
  for?: string;
  calls: number;
  seconds: number;
  per: string;
  /** Absent if all calls count. */
  counts?: 'failed-logins';
}

function throttlesOf({ name, max, windowMs, per, counts }: LimitRule): Throttle[] {
  const byKind = typeof max === 'number' ? [['', max] as const] : Object.entries(max);
  return byKind.flatMap(([kind, calls]) =>
    calls === null
      ? []
      : {
          limit: name,
          ...(kind !== '' && { for: kind }),
          calls,
          seconds: windowMs / 1000,
          per,
          ...(counts === 'failed-logins' && { counts }),
        },
  );
}

/** The limits that replies of the route show. The limit of a whole API is shown only in its refusals. */
const shownRules = ({ rules = {} as LimitRules, public: isPublic }: FastifyContextConfig): LimitRule[] =>
  [...new Set(Object.values(rules).flat())].filter((rule) => isShown(rule, isPublic));

/** Returns the extensions and the first sentence of an operation: the ability that it needs or the size of its body, and its limits. */
export function requirementsOf(config: FastifyContextConfig) {
  const { ability, public: isPublic } = config;
  const throttles = shownRules(config).flatMap(throttlesOf);
  return {
    extensions: { ...(ability && { 'x-ability': ability }), ...(throttles.length > 0 && { 'x-throttle': throttles }) },
    sentence: ability ? `Needs the ability \`${ability}\`.` : isPublic && `The body may have ${publicBodyBytes} bytes at most.`,
  };
}

/** Adds the headers of each reply to a document. `configs` has the configuration of each operation's route, by its name. */
export function declareHeaders(document: Document, api: Api, configs: ReadonlyMap<string, FastifyContextConfig>): void {
  const headers: Record<string, ReplyHeader> = {};
  const declare = (all: Readonly<Record<string, ReplyHeader>>) => {
    const componentOf = (name: string) => name.replaceAll('-', '');
    for (const [name, header] of Object.entries(all)) headers[componentOf(name)] = header;
    return Object.fromEntries(Object.keys(all).map((name) => [name, { $ref: `#/components/headers/${componentOf(name)}` }]));
  };
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
  for (const { operationId = '', responses = {} } of operations)
    for (const [status, response] of Object.entries(responses))
      response.headers = declare(headersOf(api, configs.get(operationId) ?? {}, Number(status)));
  if (document.components) document.components.headers = headers;
}

function headersOf(api: Api, config: FastifyContextConfig, status: number) {
  const kinds = (Object.keys(api.status) as RefusalKind[]).filter((kind) => api.status[kind] === status);
  const isCounted = shownRules(config).length > 0 || kinds.includes('limited');
  return { ...ofAll, ...ofKinds(kinds), ...(isCounted && ofLimits), ...(status < 300 && config.replyHeaders) };
}

const only = (value: string) => ({ required: true, schema: { type: 'string', const: value } }) as const;

const ofAll: Readonly<Record<string, ReplyHeader>> = {
  'X-Request-Id': { description: 'The id of the call, and of its record.', required: true, schema: { type: 'string' } },
  'Cache-Control': { description: 'Every call is served live.', ...only(ofEveryCall['cache-control']) },
  'X-Content-Type-Options': { description: 'The reply is what its type says.', ...only(ofEveryReply['x-content-type-options']) },
};

/** Absent while a call is not counted: for an unlimited caller, or before the caller is known. */
const ofLimits: Readonly<Record<string, ReplyHeader>> = {
  'RateLimit-Limit': {
    description: 'Calls allowed in any window, by the limit with the fewest calls left.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Calls left in the last window.', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Reset': {
    description: 'Seconds until there is room for one more call: then the oldest call that counts is a window old.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'The limit with the fewest calls left, as a structured field (draft-ietf-httpapi-ratelimit-headers-11): its name, calls left (`r`), seconds until there is room for one more (`t`), such as `"plan";r=50;t=30`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The same limit: its name, calls allowed (`q`) in any window of so many seconds (`w`), such as `"plan";q=100;w=60`.',
    schema: { type: 'string' },
  },
};

const ofRefusals = {
  'retry-after': { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  'www-authenticate': {
    'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
  },
} as const;

/** The headers of refusals. One is required if every kind of refusal with this status has it. */
function ofKinds(kinds: readonly RefusalKind[]): Record<string, ReplyHeader> {
  const given = kinds.map((kind) => headerOfKind[kind]);
  const required = given.every((header) => header !== undefined) && { required: true as const };
  const named = given.flatMap((header) => (header === undefined ? [] : Object.entries(ofRefusals[header])));
  return Object.fromEntries(named.map(([name, header]) => [name, { ...header, ...required }]));
}
