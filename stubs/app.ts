import type { FastifyInstance } from 'fastify';
import type { ServiceName } from '../contracts/documents/services.ts';
import { type AppParts, buildApp } from '../gateway/app.ts';
import { serveDocs, type TryIt } from '../gateway/docs/serve.ts';
import { allDifferences } from '../gateway/figures/ledger.ts';
import { serveLate } from '../gateway/http/late.ts';
import { serveProbes } from '../gateway/http/probes.ts';
import type { CallSink } from '../gateway/http/record/record.ts';
import { Repeats } from '../gateway/http/record/repeats.ts';
import { allowsLoopbackDelivery } from '../gateway/start/config.ts';
import { readinessOf } from '../gateway/start/readiness.ts';
import type { Core } from './core.ts';
import { documentsOf } from './documents.ts';
import { explainFaults, explainRefusals } from './help/explaining.ts';
import type { HelpParts } from './help/help.ts';
import { type CallHooks, installCallHooks, isOwnCall } from './hooks.ts';
import type { Journal } from './journal/journal.ts';
import { journalSink } from './journal/sink.ts';

export interface StubAppParts {
  core: Core;
  journal: Journal;
  faults: CallHooks['faults'];
  /** Counts calls against limits. */
  counter: AppParts['counter'];
  /** The stub's address, credentials and data, as of the moment of the call. */
  about: () => HelpParts<ServiceName>;
  /** Fills the reference page with the stub's data and tokens. */
  tryIt: TryIt;
  /** False if refusals do not explain themselves. */
  help: boolean;
  /** True if the operator's console is served. */
  console: boolean;
}

/** The app of a stub: one API at the root, with a journal, faults and explanations. */
export async function openApp(parts: StubAppParts): Promise<FastifyInstance> {
  const { core, journal, faults, counter, about, tryIt, help } = parts;
  const { settings, store, queue, log, records } = core;
  const { api } = core.provider;
  const explainFault: CallHooks['explainFault'] = help ? explainFaults(about) : (body) => body;
  const documents = documentsOf(api.name as ServiceName);
  return buildApp({
    ...{ settings, log, counter },
    recording: recordingTo(records.sink, journalSink(journal, isOwnCall)),
    beforeApis: (app) => installCallHooks(app, { api, faults, explainFault }),
    apis: [{ prefix: '', api: help ? explainRefusals(api, about) : api }],
    pages: [
      (app) => serveLate(app, '/manage/v1', () => openManageApp(core, counter)),
      serveProbes({ readiness: () => readinessOf({ store, queue, queueNeeded: true }) }),
      ...(parts.console ? [await consolePage()] : []),
      serveDocs({ documents, tryIt, home: false }),
    ],
  });
}

/** Calls stay in memory for long, and calls that a fault cut off are recorded too. */
const recordingTo = (...sinks: CallSink[]): AppParts['recording'] => ({ sinks, repeats: new Repeats(), unfinished: true });

async function consolePage() {
  const { builtFolder, readConsole, serveConsole } = await import('../gateway/console/serve.ts');
  return serveConsole(readConsole(builtFolder));
}

/** The manage API in an app of its own. It is loaded by its first call. */
async function openManageApp(core: Core, counter: AppParts['counter']): Promise<FastifyInstance> {
  const { settings, queue, log, operatorToken, records, webhooks, services, provider, catalogue } = core;
  const { openManage } = await import('../gateway/manage/open.ts');
  const api = openManage(services, {
    ...{ operatorToken, sessionHours: settings.SESSION_HOURS, records: records.calls, tallier: records.tallier },
    // A stub is not audited.
    ledger: { differences: allDifferences(0), awaitingFanOut: Number.NaN, asOf: null },
    depth: () => queue.depth(),
    inFlight: (endpointIds) => webhooks.inFlight(endpointIds),
    limits: provider.api.limits,
    webhooks: {
      ...{ catalogue, signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER },
      allowLoopback: allowsLoopbackDelivery(settings),
    },
    alerts: {
      allowLoopback: allowsLoopbackDelivery(settings),
      consoleUrl: () => null,
      send: async () => ({ ok: false, answer: 'A stub sends no alerts.' }),
    },
    backOffices: [await provider.backOffice()],
  });
  const recording = recordingTo(records.sink);
  return buildApp({ settings, log, counter, recording, apis: [{ prefix: '/manage/v1', api }] });
}
