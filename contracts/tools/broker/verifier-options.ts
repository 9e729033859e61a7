import type { ConsumerVersionSelector, VerifierOptions } from '@pact-foundation/pact-core';
import { unusable } from './error.ts';
import { defaultSelectors } from './selectors.ts';
import type { Broker } from './settings.ts';

export interface BrokerSource {
  broker: Broker;
  /** The provider as the pacts name it. */
  provider: string;
  /** Left out: the main branch, and what is deployed or released. */
  selectors?: readonly ConsumerVersionSelector[];
  /** Records what comes out with the broker; needs `providerVersion`. */
  publish: boolean;
  providerVersion?: string;
  /** With it, a pact that no version of this branch did satisfy yet is pending: it is shown, and fails nothing. */
  providerBranch?: string;
  /** YYYY-MM-DD: also pacts of other branches since then that no version satisfied yet; needs `providerBranch`. */
  includeWipSince?: string;
  /** Where the build that verifies can be seen. */
  buildUrl?: string;
}

/** The options that make pact-core's verifier take its pacts from a broker. Throws a BrokerError `settings`. */
export function brokerSource(source: BrokerSource): Partial<VerifierOptions> {
  const { broker, provider, publish, providerVersion, providerBranch, includeWipSince, buildUrl } = source;
  const selectors = [...(source.selectors?.length ? source.selectors : defaultSelectors)];
  if (publish && !providerVersion?.trim())
    throw unusable("Results are recorded for a version of the provider: give its version, such as its commit's hash.");
  if (includeWipSince !== undefined && !isDay(includeWipSince))
    throw unusable(`'${includeWipSince}' is no date from which to take work in progress: write it as 2026-01-31.`);
  const needsBranch = includeWipSince ? 'Work in progress' : selectors.some(({ matchingBranch }) => matchingBranch) && 'matching';
  if (needsBranch && !providerBranch) throw unusable(`${needsBranch} is found by the provider's branch: give it.`);
  return {
    provider,
    pactBrokerUrl: broker.url,
    ...(broker.token && { pactBrokerToken: broker.token }),
    ...(broker.username && { pactBrokerUsername: broker.username }),
    ...(broker.password && { pactBrokerPassword: broker.password }),
    consumerVersionSelectors: selectors,
    // A broker refuses to say what is pending for a branch without a name.
    enablePending: Boolean(providerBranch),
    ...(providerBranch && { providerVersionBranch: providerBranch }),
    ...(includeWipSince && { includeWipPactsSince: includeWipSince }),
    // Where PACT_BROKER_PUBLISH_VERIFICATION_RESULTS is set, pact-core records whatever has a version; a false here needs one.
    ...(publish && { publishVerificationResult: true, providerVersion, ...(buildUrl && { buildUrl }) }),
  };
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);

/**
 * Why results were not recorded, from what the verifier printed at log level error; empty where they all were. The
 * verifier only logs it: its own result stays what it was.
 */
export const resultsNotRecorded = (printed: string): string[] => [
  ...new Set([...printed.matchAll(/Publishing of verification results failed with an error: (.+)/g)].map(([, why = '']) => why)),
];
