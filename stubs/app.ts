import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AppParts, buildApp } from '../gateway/app.ts';
import { type Detail, Refusal } from '../gateway/base/errors.ts';
import { serveDocs, type TryIt } from '../gateway/docs/serve.ts';
import { allDifferences } from '../gateway/figures/ledger.ts';
import { serveLate } from '../gateway/http/late.ts';
import type { Count } from '../gateway/http/limit/limit.ts';
import { serveProbes } from '../gateway/http/probes.ts';
import type { CallSink } from '../gateway/http/record/record.ts';
import { allowsLoopbackDelivery } from '../gateway/start/config.ts';
import { readinessOf } from '../gateway/start/readiness.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { findOperation } from '../spec/openapi/operations.ts';
import type { Assumptions } from './assume/assumptions.ts';
import { installAssumptions } from './assume/calls.ts';
import type { Core } from './core.ts';
import { documentsOf } from './documents.ts';
import type { Faults } from './faults/faults.ts';
import { installFaults } from './faults/install.ts';
import { explainFaults, explainRefusals, type HelpFor, helpingWith } from './help/explaining.ts';
import type { HelpParts } from './help/help.ts';
import { hasOwnPath, isOwnCall, sendWebhooksFirst } from './hooks.ts';
import type { Journal } from './journal/journal.ts';
import { journalSink, keepUnreadBodies } from './journal/sink.ts';
import { takeBodiesAhead } from './request-body.ts';
import { repeatUnchanged } from './unchanged.ts';
import { leadToWorlds } from './worlds/front.ts';
import type { Worlds } from './worlds/worlds.ts';

export interface StubAppParts {
  core: Core;
  /** Options of Node's https server. Undefined for plain http. */
  https?: object | undefined;
  journal: Journal;
  faults: Faults;
  /** The alternatives under which it answers. Default: none. */
  assumptions?: Assumptions | undefined;
  count: Count;
  /** Origins whose pages may call the API; `*` stands for all. */
  cors: readonly string[];
  operationLimits?: AppParts['operationLimits'];
  /** The stub's address, credentials and data, as of the moment of the call. */
  about: () => HelpParts<ServiceName>;
  /** Fills the reference page with the stub's data and tokens. */
  tryIt: TryIt;
  /** False if refusals do not explain themselves. */
  help: boolean;
  /** True if figures are kept for the console, and the partners' profile is served. */
  console: boolean;
  /** The signing secret of endpoints that are made by calls. Default: each has one of its own. */
  secret?: string | undefined;
  /** Its worlds. Undefined for an app that is not a stub of its own, such as that of a world: it has no pages for people. */
  worlds?: Worlds | undefined;
}

/** The app of a stub: one API at the root, with a journal, faults and explanations. */
export async function openApp(parts: StubAppParts): Promise<FastifyInstance> {
  const { core, https, journal, assumptions, operationLimits, about, help, count, worlds } = parts;
  const { settings, store, queue, services, log, records } = core;
  const { api } = core.provider;
  const helpFor = help ? helpingWith(about, assumptions) : undefined;
  const served = helpFor ? explainRefusals(api, helpFor) : api;
  return buildApp({
    settings,
    // HTTP/1.1 only, which faults cut, and without HSTS, which would keep browsers from all other stubs on localhost.
    ...(https && { transport: { https } }),
    log,
    ...(operationLimits && { operationLimits }),
    counter: async () => count,
    recording: recordingTo(records.sink, journalSink(journal, hasOwnPath)),
    cors: { origins: parts.cors, except: isOwnCall },
    beforeApis(app) {
      if (worlds) leadToWorlds(app, api.name as ServiceName, worlds);
      takeBodiesAhead(app);
      repeatUnchanged(app, assumptions ? versionOf(core.memory, assumptions) : core.memory);
      showConsoleAtRoot(app);
      installCallHooks(app, parts, helpFor);
      if (core.payments) sendWebhooksFirst(app, core.payments, core.webhooks);
    },
    apis: [{ prefix: '', api: served }],
    pages: [
      (app) => serveLate(app, '/manage/v1', () => openManageApp(core, parts)),
      serveProbes({ program: 'stub', readiness: () => readinessOf({ store, queue, queueNeeded: true, clock: services.clock }) }),
      ...(parts.console ? [(app: FastifyInstance) => serveLate(app, '/profile/v1', () => openProfileApp(parts))] : []),
      ...(worlds ? pagesForPeople(parts) : []),
    ],
  });
}

/** Makes the faults and alternatives apply to every call of the API, and keeps the bodies that the journal shows. */
function installCallHooks(app: FastifyInstance, parts: StubAppParts, helpFor: HelpFor | undefined): void {
  const { faults, assumptions, about, help } = parts;
  const { api } = parts.core.provider;
  const name = api.name as ServiceName;
  const errorBody = (_status: number, { code, message, details = [] }: { code: string; message: string; details?: Detail[] }) =>
    api.errorBody(new Refusal('internal', code, message, { details }), {} as FastifyRequest);
  keepUnreadBodies(app, isOwnCall);
  // Before the faults, which break what would have been sent.
  if (assumptions) installAssumptions(app, assumptions, { api: name, skip: isOwnCall, errorBody, helpFor });
  installFaults(app, faults, {
    skip: isOwnCall,
    operationOf: (method, path) => findOperation(name, method, path)?.operation.operationId,
    invalidStatus: api.status.invalid,
    errorBody,
    ...(help && { explain: explainFaults(about) }),
  });
}

function pagesForPeople(parts: StubAppParts): ((app: FastifyInstance) => void | Promise<void>)[] {
  const { core, tryIt, help, console } = parts;
  const api = core.provider.api.name as ServiceName;
  return [
    (app) => serveLate(app, '/console', () => openPage('console', parts)),
    ...(console ? [(app: FastifyInstance) => serveLate(app, '/profile', () => openPage('profile', parts))] : []),
    serveDocs({ documents: documentsOf(api, { profile: console, help, core }), tryIt, home: false, rootApi: api }),
  ];
}

/** Increases with what is stored and with what is assumed: both change replies. */
const versionOf = (...parts: readonly { readonly version: number }[]) => ({
  get version() {
    return parts.reduce((sum, { version }) => sum + version, 0);
  },
});

/** Calls that a fault cut off are recorded too. */
const recordingTo = (...sinks: CallSink[]): AppParts['recording'] => ({ sinks, unfinished: true });

/** Sends people who open the stub's address in a browser to its console. For programs `/` is a path of the API. */
function showConsoleAtRoot(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url !== '/' || request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return done();
    request.unrecorded = true;
    reply.redirect('/console/stub');
  });
}

/** A built page in an app of its own, which its first call loads. Its files hold no data, so everyone may read them. */
async function openPage(name: 'console' | 'profile', { core, console: hasFigures }: StubAppParts): Promise<FastifyInstance> {
  const { builtFolder, readPage, serveConsole, serveProfile } = await import('../gateway/console/serve.ts');
  const built = readPage(join(builtFolder, name), hasFigures ? 'stub with figures' : 'stub');
  return openUnrecorded(core, name === 'console' ? serveConsole(built) : serveProfile(built));
}

/** An app that serves one page, without limits and records. */
const openUnrecorded = ({ settings, log }: Core, page: NonNullable<AppParts['pages']>[number]): Promise<FastifyInstance> =>
  buildApp({ settings, log, counter: async () => () => null, recording: { sinks: [] }, apis: [], pages: [page] });

/** A session outlives a clock that is advanced by all retries. */
const sessionHours = 168;

/** The manage API in an app of its own. It is loaded by its first call. */
async function openManageApp(core: Core, { count, console: hasProfile, secret }: StubAppParts): Promise<FastifyInstance> {
  const { settings, queue, log, operatorToken, records, webhooks, services, provider, catalogue } = core;
  const { openManage } = await import('../gateway/manage/open.ts');
  const api = openManage(services, {
    operatorToken,
    sessionHours,
    records: records.calls,
    tallier: records.tallier,
    // A stub is not audited.
    ledger: { differences: allDifferences(0), awaitingFanOut: Number.NaN, asOf: null },
    depth: () => queue.depth(),
    inFlight: (endpointIds) => webhooks.inFlight(endpointIds),
    limits: provider.api.limits,
    webhooks: {
      catalogue,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
      allowLoopback: allowsLoopbackDelivery(settings),
      secret,
    },
    alerts: {
      allowLoopback: allowsLoopbackDelivery(settings),
      consoleUrl: () => null,
      send: sendsNoMail,
    },
    // The links open `/profile`, which is served beside the console.
    ...(hasProfile ? { profileLinks: { publicUrl: undefined } } : {}),
    backOffices: [await provider.backOffice()],
  });
  const recording = recordingTo(records.sink);
  return buildApp({ settings, log, counter: async () => count, recording, apis: [{ prefix: '/manage/v1', api }] });
}

const sendsNoMail = async () => ({ ok: false, answer: 'A stub sends no alerts.' });

/** The partners' API in an app of its own, which its first call loads. */
async function openProfileApp({ core, count, tryIt, help, secret }: StubAppParts): Promise<FastifyInstance> {
  const { settings, log, records, services, provider, catalogue } = core;
  const { openProfile } = await import('../gateway/profile/open.ts');
  const api = openProfile(services, {
    sessionHours,
    records: records.calls,
    limits: provider.api.limits,
    async upToDate() {
      await records.calls.flush();
      await records.tallier?.flush();
    },
    webhooks: {
      catalogue,
      signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
      deadlineMs: settings.WEBHOOK_DEADLINE_MS,
      allowLoopback: allowsLoopbackDelivery(settings),
      secret,
    },
    async reference(name, known) {
      const { withGapNotes } = await import('../gateway/docs/reference/gap-notes.ts');
      return withGapNotes(tryIt.forms(name, documentsOf(name, { profile: false, help, core }).get(name)?.(), known));
    },
    alerts: { send: sendsNoMail, profileUrl: () => null },
  });
  const recording = recordingTo(records.sink);
  return buildApp({ settings, log, counter: async () => count, recording, apis: [{ prefix: '/profile/v1', api }] });
}
