import type { ConsumerVersionSelector, VerifierOptions } from '@pact-foundation/pact-core';
import { CouldNotRun } from '../could-not-run.ts';
import { defaultSelectors } from './selectors.ts';
import type { Broker } from './settings.ts';

export interface BrokerSource {
  broker: Broker;
  /** The provider's name at the broker. */
  provider: string;
  /** Default: the main branch, and deployed or released versions. */
  selectors?: readonly ConsumerVersionSelector[];
  /** If true, the results are recorded at the broker; needs `providerVersion`. */
  publish: boolean;
  providerVersion?: string;
  /** If set, a pact that no version of this branch has satisfied is pending: it is shown, and its failure does not count. */
  providerBranch?: string;
  /** YYYY-MM-DD: also takes newer unsatisfied pacts of other branches; needs `providerBranch`. */
  includeWipSince?: string;
  /** A link to the build, stored with the results. */
  buildUrl?: string;
}

/** Returns the options that make Pact's verifier fetch its pacts from a broker. Throws `CouldNotRun`. */
export function brokerSource(source: BrokerSource): Partial<VerifierOptions> {
  const { broker, provider, publish, providerVersion, providerBranch, includeWipSince, buildUrl } = source;
  const selectors = [...(source.selectors?.length ? source.selectors : defaultSelectors)];
  if (publish && !providerVersion?.trim())
    throw new CouldNotRun("--publish needs --provider-version, such as the provider's commit hash.");
  if (includeWipSince !== undefined && !isDay(includeWipSince))
    throw new CouldNotRun(`--include-wip must be a date such as 2026-01-31, got '${includeWipSince}'.`);
  const needsBranch = includeWipSince
    ? '--include-wip'
    : selectors.some(({ matchingBranch }) => matchingBranch) && 'The selector matching';
  if (needsBranch && !providerBranch) throw new CouldNotRun(`${needsBranch} needs --provider-branch.`);
  return {
    provider,
    pactBrokerUrl: broker.url,
    ...(broker.token && { pactBrokerToken: broker.token }),
    ...(broker.username && { pactBrokerUsername: broker.username }),
    ...(broker.password && { pactBrokerPassword: broker.password }),
    consumerVersionSelectors: selectors,
    // A broker rejects a request for pending pacts that names no branch.
    enablePending: Boolean(providerBranch),
    ...(providerBranch && { providerVersionBranch: providerBranch }),
    ...(includeWipSince && { includeWipPactsSince: includeWipSince }),
    // pact-core may record results unasked if it has a version, and rejects `publishVerificationResult: false` without one.
    ...(publish && { publishVerificationResult: true, providerVersion, ...(buildUrl && { buildUrl }) }),
  };
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);

/**
 * Returns why results were not recorded, from the verifier's log at level error; empty if all were. The verifier reports
 * success even if it could not record them.
 */
export const resultsNotRecorded = (printed: string): string[] => [
  ...new Set([...printed.matchAll(/Publishing of verification results failed with an error: (.+)/g)].map(([, why = '']) => why)),
];
