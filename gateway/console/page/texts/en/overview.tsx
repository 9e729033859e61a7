import type { ReactNode } from 'react';
import { count, plural, shortCount } from '../../lib/format.ts';

/** The endpoints that are not well, by state. */
export type OtherStates = Record<'troubled' | 'held' | 'disabled', number>;

export const overview = {
  title: 'Overview',
  retryNow: 'Retry now',
  storeDown: 'The store does not answer. Calls get 503 and deliveries wait. Nothing that was acknowledged is lost.',
  clockWrong: (off: string) =>
    `This machine's clock differs by ${off} from the database's. This process makes no deliveries until it is right.`,
  since: (at: ReactNode): ReactNode => <>Since {at}</>,
  deliveriesOwed: (deliveries: string) => `Deliveries owed: ${deliveries}`,

  calls: {
    title: 'Calls',
    none: (period: string) => `No calls ${period}.`,
    chart: (period: string, succeeded: number, refused: number, limited: number, failed: number) =>
      `Calls ${period}: ${count(succeeded)} succeeded, ${count(refused)} refused, ${count(limited)} limited, ${count(failed)} failed`,
    succeeded: 'succeeded',
    refused: 'refused',
    limited: 'limited',
    failed: 'failed',
    total: 'Calls',
    noneByApi: 'none',
    rate: 'Succeeded',
    failedAndRefused: (failed: number, refused: number) =>
      `${shortCount(failed)} failed (5xx), ${shortCount(refused)} refused (4xx)`,
    latency: 'Latency p95',
    noLatency: 'no calls',
    rateLimited: 'Rate limited',
    callers: (callers: number) => plural(callers, 'caller'),
  },

  deliveries: {
    title: 'Deliveries',
    none: (period: string) => `No attempts ${period}.`,
    chart: (period: string, succeeded: number, failed: number) =>
      `Attempts ${period}: ${count(succeeded)} succeeded, ${count(failed)} failed`,
    succeeded: 'succeeded',
    failed: 'failed',
    attempts: 'Attempts',
    delivered: (deliveries: number) => `${shortCount(deliveries)} delivered`,
    rate: 'Success rate',
    failedAttempts: (attempts: number) => `${shortCount(attempts)} failed`,
    latency: 'Latency p95',
    noLatency: 'no attempts',
    deadLetters: 'Dead letters',
    skipped: (deliveries: number) => `${shortCount(deliveries)} skipped`,
  },

  latency: {
    title: 'Latency, p95',
    none: (period: string) => `No calls or attempts ${period}.`,
    chart: (period: string, calls: string, attempts: string) =>
      `95th percentile ${period}: ${calls} for calls, ${attempts} for attempts`,
    unknown: 'unknown',
    calls: 'calls',
    attempts: 'attempts',
  },

  now: {
    pending: 'Pending',
    now: 'now',
    inTurn: 'Waiting in turn',
    late: 'Late',
    lateAfter: 'more than 30 s',
    queue: 'Queue jobs',
    queueJobs: (active: number, delayed: number) => `${count(active)} active, ${count(delayed)} delayed`,
    queueUnknown: 'unknown',
    endpoints: 'Endpoints',
    wellOf: (well: number, total: number) => `${count(well)} of ${count(total)}`,
    otherStates: ({ troubled, held, disabled }: OtherStates) =>
      `well, ${count(troubled)} in trouble, ${count(held)} held, ${count(disabled)} disabled`,
    ledger: 'Ledger',
    balanced: 'Balanced',
    unbalanced: 'Not balanced',
    notAudited: 'not audited yet',
    audited: (at: ReactNode): ReactNode => <>audited {at}</>,
    auditedUnbalanced: (imbalance: string, at: ReactNode): ReactNode => (
      <>
        {imbalance}; audited {at}
      </>
    ),
    recorder: 'Recorder',
    toWrite: (calls: number) => `${shortCount(calls)} to write`,
    lost: (calls: number) => `${count(calls)} lost`,
  },

  errors: {
    title: 'Errors by class',
    none: (period: string) => `No attempt failed ${period}.`,
    attempts: (attempts: number) => plural(attempts, 'attempt'),
    now: (statuses: string) => `, now ${statuses}`,
  },

  trouble: {
    title: 'Endpoints that need attention',
    endpoint: 'Endpoint',
    state: 'State',
    since: 'Since',
    failed: 'Failed, last minute',
    owed: 'Owed',
    lastFailure: 'Last failure',
    whatToDo: 'What to do',
    states: {
      held: 'held',
      failing: 'failing',
      disabled: 'disabled',
      unsteady: 'fails at times',
      behind: 'behind',
      paused: 'paused',
    },
    failedOf: (failed: number, attempts: number) => `${count(failed)} of ${count(attempts)}`,
    failedAndOwed: (failed: number, attempts: number, owed: string) =>
      `${count(failed)} of ${count(attempts)} failed, owed: ${owed}`,
    failure: (reason: string, at: ReactNode): ReactNode => (
      <>
        {reason}, {at}
      </>
    ),
    test: 'Test',
    enable: 'Resume',
  },

  refusals: {
    title: 'Refusals by limit',
    allLimits: 'All limits',
    none: (period: string) => `No call of a known caller was refused by a limit ${period}.`,
  },

  notices: {
    title: 'Recent notices',
    none: 'No endpoint was held or disabled.',
  },

  recoveries: {
    title: 'Running recoveries',
    allEndpoints: 'all endpoints',
    allOf: (owner: string) => `all endpoints of ${owner}`,
    progress: (done: number, total: number) => `${count(done)} of ${count(total)}`,
    progressWithTime: (done: number, total: number, left: string) => `${count(done)} of ${count(total)}, about ${left} left`,
    of: (endpoint: string) => `Recovery of ${endpoint}`,
  },

  firstSteps: {
    label: 'First steps',
    title: 'Nothing has been delivered yet',
    intro: 'Nothing is wrong. Take these three steps to see figures here:',
    done: 'done',
    endpoint: 'Create an endpoint',
    endpointHow: 'A URL of yours that receives events as signed webhooks.',
    newEndpoint: 'New endpoint',
    test: 'Send it a test event',
    testHow: "Use the button on the endpoint's page. It shows at once how the receiver answers.",
    endpoints: 'Endpoints',
    call: 'Make a call',
    callHow: (backOffice: (label: string) => ReactNode, documents: (label: string) => ReactNode): ReactNode => (
      <>
        Use an account's API key. Accounts are under {backOffice('Back office')}; with demo data, the startup message shows a key.
        Every operation is in the {documents('OpenAPI documents')}. A sale, for example, creates an event, which is sent to the
        endpoint.
      </>
    ),
    token: 'Get a token for an account',
  },
};
