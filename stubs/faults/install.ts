import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readUnread } from '../request-body.ts';
import type { AppliedFault, ChosenFault, ChosenFaults } from './applied.ts';
import { type Sent, wholeBody } from './broken-replies.ts';
import type { Faults } from './faults.ts';
import { kindOf } from './kinds.ts';
import { Pauses } from './pauses.ts';
import { wishesOf } from './prefer.ts';
import { type Random, seededRandom } from './random.ts';

export interface InstallFaultsOptions {
  /** The status of the API's refusals of invalid input: a wrong preference has it too. */
  invalidStatus: number;
  /** Builds an error body in the API's shape. */
  errorBody(status: number, reason: { code: string; message: string }): unknown;
  /** Adds to an error body which fault caused the reply. Default: unchanged. */
  explain?(body: unknown, by: ChosenFault): unknown;
  /** Finds the operation of a call by method and path (without query). Default: the route's `operationId`. */
  operationOf?(method: string, path: string): string | undefined;
  /** Identifies the caller for `per=caller`. Default: the Authorization header, or the IP address if there is none. */
  callerOf?(request: FastifyRequest): string;
  /** Returns true for calls that never fail. Default: routes with `config.recorded: false`, which are the stub's own. */
  skip?(request: FastifyRequest): boolean;
}

const ownRoute = (request: FastifyRequest) =>
  (request.routeOptions.config as { recorded?: boolean } | undefined)?.recorded === false;

interface Context {
  faults: Faults;
  options: InstallFaultsOptions;
  pauses: Pauses;
  random: Random;
}

/**
 * Applies faults to an app's calls: those of the rules, and those that a request asks for with `Prefer` (RFC 7240).
 * A simulated reply is sent before the app validates the call, so that calls it would refuse fail in the same way.
 */
export function installFaults(app: FastifyInstance, faults: Faults, options: InstallFaultsOptions): void {
  const skip = options.skip ?? ownRoute;
  const context = { faults, options, pauses: new Pauses(faults.clock), random: seededRandom(`${faults.seed}:Prefer`) };
  app.decorateRequest('fault', null);
  app.decorateRequest('faultsOfBody', null);
  app.addHook('preClose', async () => context.pauses.endAll());
  app.addHook('onRequest', (request, reply, done) => {
    if ((!faults.active && request.headers.prefer === undefined) || skip(request)) return done();
    void begin(context, request, reply).then((continues) => continues && done(), done);
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.faultsOfBody) return done();
    void apply(context, { request, reply, wished: request.faultsOfBody }).then((continues) => continues && done(), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const applied = request.fault;
    if (!applied) return done(null, payload);
    void finish(context, request, reply, { payload, applied }).then((sent) => sent && done(null, sent.payload), done);
  });
}

/** Header of every reply that a fault affects: the fault's text form and its rule's id. */
const faultHeader = 'x-passerelle-fault';
const shownFault = ({ source, rule }: Pick<ChosenFault, 'source' | 'rule'>) => (rule ? `${source} (${rule.id})` : source);

/** Runs before the app works. Returns false if the call has been answered or its connection ended. */
async function begin(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { faults, options, random } = context;
  const call = factsOf(request, options);
  const wishes = wishesOf([request.headers.prefer ?? []].flat().join(','), call.operation, random, faults.examples);
  const { applied, ignored, refused } = wishes;
  if (applied.length > 0) reply.header('preference-applied', printable(applied.join(', ')));
  if (ignored.length > 0) reply.header('x-preference-ignored', printable(ignored.join(', ')));
  if (refused.length > 0) {
    const reason = { code: 'invalid_preference', message: `Prefer: ${refused.join(', ')}` };
    return answer(reply, options.invalidStatus, options.errorBody(options.invalidStatus, reason));
  }

  if (!wishes.chosen.outcome && faults.looksAtBody(call)) {
    request.faultsOfBody = wishes.chosen;
    return true;
  }
  return apply(context, { request, reply, wished: wishes.chosen });
}

/** Applies the faults that the request wished for, and those of the rules. Returns false if the call has been answered. */
async function apply(
  context: Context,
  { request, reply, wished }: { request: FastifyRequest; reply: FastifyReply; wished: ChosenFaults },
): Promise<boolean> {
  const call = factsOf(request, context.options);
  const chosen = context.faults.choose(call, wished);
  const { delay, outcome } = chosen;
  const found = [delay, outcome].filter((one) => one !== undefined);
  if (found.length === 0) return true;
  const name = found.map(({ source }) => source).join('; ');
  request.fault = { name, rules: found.flatMap(({ rule }) => rule?.id ?? []), chosen };
  reply.header(faultHeader, printable(found.map(shownFault).join('; ')));
  if (delay && delay.fault.stage !== 'reply' && !(await waited(context, delay, reply))) return false;
  return outcome ? applyOutcome(context, outcome, { request, reply, operation: call.operation }) : true;
}

/** Applies a fault other than a delay. Returns false if it has answered the call or ended its connection. */
async function applyOutcome(
  { faults, options, pauses }: Context,
  outcome: ChosenFault,
  { request, reply, operation }: { request: FastifyRequest; reply: FastifyReply; operation: string | undefined },
): Promise<boolean> {
  const { fault, source, untilMs } = outcome;
  const { cut, answer: answerOf } = kindOf(fault);
  if (cut && !('stage' in fault && fault.stage === 'reply')) {
    await readUnread(request);
    reply.hijack();
    await cut(fault, { request, reply, pauses });
    return false;
  }
  const { examples, now } = faults;
  const own = answerOf?.(fault, { source, operation, examples, nowMs: now(), untilMs });
  if (!own) return true;
  reply.headers(own.headers);
  const body = own.body === undefined ? options.errorBody(own.status, own.reason) : own.body;
  const isExplained = own.status >= 400 && !own.isOwn;
  return answer(reply, own.status, isExplained && options.explain ? options.explain(body, outcome) : body);
}

/** Answers a call in place of its handler. */
export function answer(reply: FastifyReply, status: number, body: unknown): false {
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
  return false;
}

/** Runs when the reply is ready to go out. Returns what the app still has to send. */
async function finish(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, applied }: { payload: unknown; applied: AppliedFault },
): Promise<Sent> {
  const { delay, outcome } = applied.chosen;
  if (delay?.fault.stage === 'reply' && !(await waited(context, delay, reply))) return undefined;
  const fault = outcome?.fault;
  const { cut, breakReply } = fault ? kindOf(fault) : {};
  if (!fault || !(cut || breakReply)) return { payload };

  // Unread request data would turn the end of the connection into a reset.
  await readUnread(request);
  const { pauses } = context;
  if (cut) {
    reply.hijack();
    await cut(fault, { request, reply, pauses });
    return undefined;
  }
  const body = await wholeBody(request, reply, payload);
  return body && breakReply ? breakReply(fault, { request, reply, applied, pauses, body }) : { payload };
}

async function waited({ pauses }: Context, delay: ChosenFault, reply: FastifyReply): Promise<boolean> {
  const there = await pauses.pause(delay.ms, reply.raw);
  if (!there) reply.hijack();
  return there;
}

function factsOf(request: FastifyRequest, { operationOf, callerOf }: InstallFaultsOptions) {
  const [path = ''] = request.originalUrl.split('?');
  return {
    method: request.method,
    path,
    query: request.query as Record<string, unknown>,
    headers: request.headers,
    body: request.body,
    operation: operationOf ? operationOf(request.method, path) : request.routeOptions.schema?.operationId,
    caller: callerOf ? callerOf(request) : (request.headers.authorization ?? request.ip),
  };
}

/** Header values may contain ASCII only. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
