import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readUnread } from '../request-body.ts';
import { answerOf, type ErrorBody } from './answers.ts';
import type { AppliedFault } from './applied.ts';
import { brokenJson, resetConnection, sendSlowly, sendTruncated, wholeBody } from './broken-replies.ts';
import type { ChosenFault, Faults } from './faults.ts';
import { Pauses } from './pauses.ts';
import { type ExampleOf, wishesOf } from './prefer.ts';
import { type Random, seededRandom } from './random.ts';

export interface InstallFaultsOptions {
  errorBody: ErrorBody;
  /** The operation of a call, by method and path (without query); by default the `operationId` of its route. */
  operationOf?(method: string, path: string): string | undefined;
  /** An example of an operation's reply, for `Prefer: example=...`: see `examplesOf`. */
  exampleOf?: ExampleOf;
  /** Who calls, for `per=caller`; by default whoever has the same Authorization header, else the same address. */
  callerOf?(request: FastifyRequest): string;
  /** Calls that never fail. By default those of routes with `config.recorded: false`, the stub's own. */
  skip?(request: FastifyRequest): boolean;
}

const ownRoute = (request: FastifyRequest) =>
  (request.routeOptions.config as { recorded?: boolean } | undefined)?.recorded === false;

/** What the hooks share. */
interface Context {
  faults: Faults;
  options: InstallFaultsOptions;
  pauses: Pauses;
  random: Random;
}

/**
 * Applies faults to an app's calls: those of the rules, and those that a request asks for with `Prefer` (RFC 7240).
 * What ends a call does so before the app looks at it, so that it also happens to calls that would be refused.
 */
export function installFaults(app: FastifyInstance, faults: Faults, options: InstallFaultsOptions): void {
  const skip = options.skip ?? ownRoute;
  const context = { faults, options, pauses: new Pauses(faults.clock), random: seededRandom(`${faults.seed}:Prefer`) };
  app.decorateRequest('fault', null);
  app.addHook('preClose', async () => context.pauses.endAll());
  app.addHook('onRequest', (request, reply, done) => {
    if ((!faults.active && request.headers.prefer === undefined) || skip(request)) return done();
    void begin(context, request, reply).then((goesOn) => goesOn && done(), done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const applied = request.fault;
    if (!applied) return done(null, payload);
    void finish(context, request, reply, { payload, applied }).then((sent) => sent && done(null, sent.payload), done);
  });
}

/** On every reply that a fault has to do with: the fault as it is written, and its rule's id. */
const faultHeader = 'x-passerelle-fault';
const shownFault = ({ source, rule }: Pick<ChosenFault, 'source' | 'rule'>) => (rule ? `${source} (${rule.id})` : source);

/** Whether the app is to answer the call. */
async function begin(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { faults, options, random } = context;
  const call = factsOf(request, options);
  const wishes = wishesOf([request.headers.prefer ?? []].flat().join(','), call.operation, random, options.exampleOf);
  const { applied, ignored, strict } = wishes;
  if (applied.length > 0) reply.header('preference-applied', printable(applied.join(', ')));
  if (ignored.length > 0) reply.header('x-preference-ignored', printable(ignored.join(', ')));
  if (ignored.length > 0 && strict) {
    const reason = { code: 'invalid_preference', message: `Prefer: ${ignored.join(', ')}` };
    return answer(reply, 400, options.errorBody(400, reason));
  }

  const chosen = faults.choose(call, wishes.chosen);
  const { delay, outcome } = chosen;
  const found = [delay, outcome].filter((one) => one !== undefined);
  if (found.length === 0) return true;
  const name = found.map(({ source }) => source).join('; ');
  request.fault = { name, rules: found.flatMap(({ rule }) => rule?.id ?? []), chosen };
  reply.header(faultHeader, printable(found.map(shownFault).join('; ')));
  if (delay && delay.fault.stage !== 'reply' && !(await waited(context, delay, reply))) return false;
  return outcome ? goesOnDespite(context, outcome, request, reply) : true;
}

async function goesOnDespite(
  { faults, options }: Context,
  outcome: ChosenFault,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { fault } = outcome;
  if (fault.kind === 'reset' && fault.stage !== 'reply') {
    await readUnread(request);
    resetConnection(request, reply);
    return false;
  }
  const own = answerOf(outcome, faults.clock);
  if (!own) return true;
  reply.headers(own.headers);
  return answer(reply, own.status, outcome.body ?? options.errorBody(own.status, own.reason, outcome));
}

function answer(reply: FastifyReply, status: number, body: unknown): false {
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
  return false;
}

/** What is to be sent by the app, if it still is. */
async function finish(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, applied }: { payload: unknown; applied: AppliedFault },
): Promise<{ payload: unknown } | undefined> {
  const { delay, outcome } = applied.chosen;
  if (delay?.fault.stage === 'reply' && !(await waited(context, delay, reply))) return undefined;
  const fault = outcome?.fault;
  if (fault?.kind === 'reset') return resetConnection(request, reply);
  if (fault?.kind !== 'truncated' && fault?.kind !== 'slow' && fault?.kind !== 'malformed') return { payload };

  // Unread data would turn the end of the connection into a reset.
  await readUnread(request);
  const body = await wholeBody(request, reply, payload);
  if (!body) return { payload };
  const broken = { request, reply, applied, pauses: context.pauses, body };
  if (fault.kind === 'truncated') return sendTruncated(fault, broken);
  if (fault.kind === 'slow') return sendSlowly(fault, broken);
  applied.sentBody = brokenJson(body);
  reply.header('content-length', Buffer.byteLength(applied.sentBody));
  return { payload: applied.sentBody };
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
    operation: operationOf ? operationOf(request.method, path) : request.routeOptions.schema?.operationId,
    caller: callerOf ? callerOf(request) : (request.headers.authorization ?? request.ip),
  };
}

/** Header values are ASCII. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
