import type { ExampleReply, Examples } from '../examples/reply.ts';
import type { DownFault, ExampleFault, RateLimitFault, StatusFault, TokenExpiredFault } from './types.ts';

/** A reply that a fault sends instead of the API's. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** An error body is made of it, if there is no `body`. */
  reason: { code: string; message: string };
  body?: unknown;
  /** True if the rule gave the body, which is then sent without explanations. */
  isOwn?: boolean;
}

/** What an answer may depend on. */
export interface AnswerContext {
  /** The fault's text form, or the request's `Prefer` header. */
  source: string;
  operation: string | undefined;
  examples: Examples;
  nowMs: number;
  /** When the fault ends, in milliseconds since 1970. Undefined if its rule has no end. */
  untilMs: number | undefined;
}

/** The reference implementation's reply with this status. A success that it does not give has the body of one that it does. */
export function simulatedStatus(
  { status, retryAfterMs, headers, body }: StatusFault,
  { source, operation, examples }: AnswerContext,
): Answer {
  const usual = examples.withStatus(operation, status);
  const example = usual ?? (status < 300 ? examples.withStatus(operation) : undefined);
  const answer = example ? answerOf(example) : simulated(status, source);
  const own = body === undefined ? {} : { body, isOwn: true };
  return { ...answer, ...own, status, headers: { ...answer.headers, ...retryHeader(retryAfterMs), ...lowerCase(headers) } };
}

const lowerCase = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The reply of that name; the text form and `Prefer` also name it by its status. */
export function exampleReply({ name, retryAfterMs }: ExampleFault, { source, operation, examples }: AnswerContext): Answer {
  const example = examples.find(operation, name);
  const answer = example ? answerOf(example) : simulated(500, source);
  return { ...answer, headers: { ...answer.headers, ...retryHeader(retryAfterMs) } };
}

/** The reference implementation's 503, with the time that remains. */
export const down = (_fault: DownFault, context: AnswerContext): Answer =>
  simulatedStatus({ kind: 'status', status: 503, retryAfterMs: context.untilMs && context.untilMs - context.nowMs }, context);

/** The reference implementation's 429, with another limit and wait if they are given. */
export function rateLimited({ limit, retryAfterMs }: RateLimitFault, context: AnswerContext): Answer {
  const real = context.examples.named(context.operation, 'rate_limited') ?? usualLimit;
  const { 'ratelimit-limit': usual = '', 'retry-after': usualWait = '' } = real.headers;
  const most = String(limit ?? usual);
  const wait = retryAfterMs === undefined ? usualWait : String(seconds(retryAfterMs));
  const { ratelimit = '', 'ratelimit-policy': policy = '' } = real.headers;
  return {
    ...answerOf(replaced(real, [` of ${usual} calls`, ` of ${most} calls`], [` in ${usualWait} s.`, ` in ${wait} s.`])),
    headers: {
      ...real.headers,
      'retry-after': wait,
      'ratelimit-limit': most,
      'ratelimit-reset': wait,
      ratelimit: ratelimit.replace(/(?<=;t=)\d+/, wait),
      'ratelimit-policy': policy.replace(/(?<=;q=)\d+/, most),
    },
  };
}

/** The reference implementation's 401 for a token that expired a second ago. */
export function tokenExpired(_fault: TokenExpiredFault, { operation, examples, nowMs }: AnswerContext): Answer {
  const real = examples.named(operation, 'token_expired') ?? examples.withStatus(operation, 401) ?? usualExpiry;
  const [at = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(JSON.stringify(real)) ?? [];
  return answerOf(at === '' ? real : replaced(real, [at, new Date(nowMs - 1000).toISOString()]));
}

interface Real extends Omit<ExampleReply, 'operation' | 'name' | 'cause'> {
  reason?: Answer['reason'];
}

/** For calls that belong to no operation. */
const usualLimit: Real = {
  status: 429,
  headers: {
    'retry-after': '60',
    'ratelimit-limit': '100',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '60',
    ratelimit: '"plan";r=0;t=60',
    'ratelimit-policy': '"plan";q=100;w=60',
  },
  reason: { code: 'rate_limited', message: 'The limit "plan" of 100 calls in 60 s is reached. Try again in 60 s.' },
  body: undefined,
};
const usualExpiry: Real = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  reason: { code: 'token_expired', message: 'The token expired at 2026-11-21T09:53:00.000Z. Get another one.' },
  body: undefined,
};

const simulated = (status: number, source: string): Answer => ({
  status,
  headers: {},
  reason: { code: 'fault', message: `This reply is simulated: ${source}` },
});

const answerOf = ({ status, headers, body, reason = { code: '', message: '' } }: Real): Answer => ({
  status,
  headers,
  reason,
  ...(body !== undefined && { body }),
});

const replaced = (real: Real, ...pairs: [string, string][]): Real =>
  JSON.parse(pairs.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(real)));

const retryHeader = (ms: number | undefined): Record<string, string> =>
  ms === undefined ? {} : { 'retry-after': String(seconds(ms)) };

const seconds = (ms: number): number => Math.ceil(ms / 1000);
