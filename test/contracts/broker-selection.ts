import type { ConsumerVersionSelector } from '@pact-foundation/pact-core';
import type { BrokerStore, Publication } from './broker-store.ts';

/** What a verifier asks for: the body of POST /pacts/provider/NAME/for-verification. */
export interface VerificationRequest {
  consumerVersionSelectors?: ConsumerVersionSelector[];
  includePendingStatus?: boolean;
  includeWipPactsSince?: string;
  providerVersionBranch?: string;
}

export interface SelectedPact {
  publication: Publication;
  /** Why, in a broker's words. */
  criteria: string[];
  pending: boolean;
  wip: boolean;
}

interface Rule {
  applies(selector: ConsumerVersionSelector): unknown;
  matches(publication: Publication, selector: ConsumerVersionSelector): boolean;
  /** Every version that matches, or each consumer's last one. */
  all?: boolean;
  says(selector: ConsumerVersionSelector): string;
}

/** The pacts of a provider that a verifier's request selects, each content once, work in progress at the end. */
export function select(store: BrokerStore, provider: string, request: VerificationRequest): SelectedPact[] {
  const branch = request.providerVersionBranch;
  const ofProvider = store.publications.filter((publication) => publication.provider === provider);
  const selected = new Map<string, SelectedPact>();
  const selectors = request.consumerVersionSelectors ?? [];
  for (const selector of selectors.length > 0 ? selectors : [{ latest: true }]) {
    const rule = rules(store, branch).find(({ applies }) => applies(selector));
    const matching = ofProvider.filter(
      (publication) =>
        (selector.consumer === undefined || selector.consumer === publication.consumer) && rule?.matches(publication, selector),
    );
    for (const publication of rule?.all ? matching : lastOfEachConsumer(matching)) {
      const { criteria } = selected.get(publication.sha) ?? { criteria: [] };
      const why = `${rule?.says(selector)} (${publication.version.number})`;
      const pending = request.includePendingStatus === true && !store.verified(publication, branch);
      selected.set(publication.sha, { publication, criteria: [...criteria, why], pending, wip: false });
    }
  }
  return [...selected.values(), ...workInProgress(store, ofProvider, selected, request)];
}

function workInProgress(
  store: BrokerStore,
  ofProvider: Publication[],
  selected: ReadonlyMap<string, SelectedPact>,
  request: VerificationRequest,
): SelectedPact[] {
  if (!request.includeWipPactsSince) return [];
  const since = new Date(request.includeWipPactsSince);
  const branches = new Set(ofProvider.flatMap(({ version }) => [...version.branches]));
  const heads = [...branches].flatMap((branch) =>
    lastOfEachConsumer(ofProvider.filter(({ version }) => version.branches.has(branch))),
  );
  return heads
    .filter(({ sha, publishedAt }) => !selected.has(sha) && publishedAt >= since)
    .filter((publication) => !store.verified(publication, request.providerVersionBranch))
    .map((publication) => ({ publication, criteria: ["'work in progress' pact"], pending: true, wip: true }));
}

const rules = (store: BrokerStore, providerBranch: string | undefined): Rule[] => [
  {
    applies: ({ mainBranch }) => mainBranch,
    matches: ({ version }) => version.branches.has('main'),
    says: () => "latest version from the main branch 'main'",
  },
  {
    applies: ({ branch }) => branch,
    matches: ({ version }, { branch = '' }) => version.branches.has(branch),
    says: ({ branch }) => `latest version from branch '${branch}'`,
  },
  {
    applies: ({ matchingBranch }) => matchingBranch,
    matches: ({ version }) => version.branches.has(providerBranch ?? ''),
    says: () => `latest version from branch '${providerBranch}'`,
  },
  {
    applies: ({ tag, latest }) => tag && latest,
    matches: ({ version }, { tag = '' }) => version.tags.has(tag),
    says: ({ tag }) => `latest version tagged '${tag}'`,
  },
  {
    applies: ({ tag }) => tag,
    matches: ({ version }, { tag = '' }) => version.tags.has(tag),
    all: true,
    says: ({ tag }) => `all consumer versions tagged '${tag}'`,
  },
  {
    applies: ({ environment, deployed, deployedOrReleased }) => environment || deployed || deployedOrReleased,
    matches: ({ version }, { environment }) => store.deployed(version, environment),
    all: true,
    says: ({ environment = 'an environment' }) => `consumer version(s) currently deployed to ${environment}`,
  },
  {
    applies: ({ latest }) => latest,
    matches: () => true,
    says: () => 'latest version of a consumer',
  },
];

const lastOfEachConsumer = (publications: Publication[]) => [
  ...new Map(publications.map((publication) => [publication.consumer, publication])).values(),
];

/** What the verifier shows before and after it verifies a pact, and when. */
export function notices({ publication, criteria, pending, wip }: SelectedPact, url: string, withStatus: boolean) {
  const reason = wip ? "it is a 'work in progress' pact" : 'the pact content belongs to the consumer version matching';
  const included = `The pact at ${url} is being verified because ${reason}:\n${criteria.map((one) => `    * ${one}`).join('\n')}`;
  const status = pending
    ? `This pact is in pending state for this version of ${publication.provider}. If this verification fails, it will not cause the overall build to fail.`
    : `This pact has previously been successfully verified by ${publication.provider}. If this verification fails, it will fail the build.`;
  return [included, ...(withStatus ? [status] : [])].map((text) => ({ when: 'before_verification', text }));
}
