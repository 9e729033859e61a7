import { returnsValue } from '../states/register.ts';
import type { ProviderState } from '../states/state.ts';
import { isRedirect, movedTo } from './redirects.ts';
import type { Exchange, Problem, Verifiable } from './result.ts';

/** A call whose status is wrong, as far as advice needs it. */
export interface Called {
  provider: Verifiable;
  /** The states of the interaction, if the reference implementation has set them up. */
  states?: readonly ProviderState[];
  /** What the states returned. */
  values?: Readonly<Record<string, unknown>>;
  exchange?: Exchange;
}

type Rule = (called: Called, problem: Problem) => string | undefined;

const hasBearer = ({ headers }: NonNullable<Exchange['request']>): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'authorization' && /^Bearer /i.test(value));

const redirected: Rule = ({ exchange }, { actual }) =>
  isRedirect(actual) ? movedTo(exchange?.reply?.headers.location) : undefined;

/** Returns true for the statuses with which receivers refuse a signature. */
export const refusesSignature = (status: unknown): boolean => ['401', '403'].includes(String(status));

/** The reference implementation refused a request only because its token is the pact's example. */
const withoutTokenState: Rule = ({ provider, states, exchange }, problem) => {
  if (provider === 'webhook-receiver' || problem.actual !== '401' || problem.expected === '401') return undefined;
  if (!states || !exchange?.request || !hasBearer(exchange.request)) return undefined;
  if (states.some(({ name }) => returnsValue(provider, name, 'token'))) return undefined;
  return 'No state of this interaction gives a token, so the example in its Authorization header was sent: name "an access token" too (version 2: "an access token and a store").';
};

/** A token of a state replaces the pact's, so a pact that sends a wrong one on purpose gets another reply than it expects. */
const replacedToken: Rule = ({ values = {}, exchange }, { expected, actual }) =>
  expected === '401' && actual !== '401' && typeof values.token === 'string' && exchange?.request && hasBearer(exchange.request)
    ? "The token that a state returned was sent in place of the pact's own. To send the pact's own token, name no state that returns one."
    : undefined;

/** Each of these explains the status completely, so the report names no open question beside it. */
const causes = [redirected, withoutTokenState, replacedToken];

const said = (rules: readonly Rule[], called: Called, problem: Problem): string | undefined =>
  problem.kind === 'status' ? rules.map((rule) => rule(called, problem)).find((one) => one !== undefined) : undefined;

/** Returns true if the cause of a wrong status is known and lies outside the API. */
export const isCausedElsewhere = (called: Called, problem: Problem): boolean => said(causes, called, problem) !== undefined;

/** Adds sentences to a message. */
export const remarked = (message: string, remarks: readonly string[]): string =>
  remarks.length === 0 ? message : [message, ...remarks].map((one) => one.replace(/(?<![.?!])$/, '.')).join(' ');

/** Returns the problem with what to do about a wrong status whose cause lies outside the API, such as the command's options. */
export function advised(called: Called, problem: Problem): Problem {
  const advice = said(causes, called, problem);
  return advice === undefined ? problem : { ...problem, message: remarked(problem.message, [advice]) };
}
