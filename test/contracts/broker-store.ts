import { createHash } from 'node:crypto';

/** A version of an application that has pacts, results or deployments. Its place in the list is its age. */
export interface Version {
  pacticipant: string;
  number: string;
  branches: Set<string>;
  tags: Set<string>;
  buildUrl?: string;
}

/** A pact as one version of a consumer published it. Versions that publish the same content share the `sha`. */
export interface Publication {
  consumer: string;
  provider: string;
  version: Version;
  sha: string;
  content: PactContent;
  publishedAt: Date;
}

export interface PactContent {
  consumer: { name: string };
  provider: { name: string };
  interactions?: Record<string, unknown>[];
  [key: string]: unknown;
}

/** What a verifier recorded of one pact content and one version of its provider. */
export interface Result {
  consumer: string;
  provider: string;
  sha: string;
  providerVersion: string;
  success: boolean;
  buildUrl?: string;
  testResults: { interactionId: string; success: boolean; [key: string]: unknown }[];
}

/** What a Pact Broker keeps, in memory. Every application's main branch is `main`. */
export class BrokerStore {
  readonly versions: Version[] = [];
  readonly publications: Publication[] = [];
  readonly results: Result[] = [];
  /** Environment name, pacticipant, version number: one version of each application is deployed at a time. */
  readonly environments = new Map<string, Map<string, string>>([
    ['test', new Map()],
    ['production', new Map()],
  ]);
  readonly #pacticipants = new Set<string>();

  knows(pacticipant: string): boolean {
    return this.#pacticipants.has(pacticipant);
  }

  version(pacticipant: string, number: string): Version | undefined {
    return this.versions.find((version) => version.pacticipant === pacticipant && version.number === number);
  }

  addVersion(pacticipant: string, number: string): Version {
    const known = this.version(pacticipant, number);
    if (known) return known;
    const version = { pacticipant, number, branches: new Set<string>(), tags: new Set<string>() };
    this.#pacticipants.add(pacticipant);
    this.versions.push(version);
    return version;
  }

  /** A pact published before under this version with another content: a broker refuses to change it. */
  conflict(content: PactContent, number: string): Publication | undefined {
    const published = this.publicationsOf(content.consumer.name, content.provider.name).find(
      ({ version }) => version.number === number,
    );
    return published && published.sha !== shaOf(content) ? published : undefined;
  }

  publish(content: PactContent, version: Version): Publication {
    const consumer = content.consumer.name;
    const provider = content.provider.name;
    const known = this.publicationsOf(consumer, provider).find((publication) => publication.version === version);
    if (known) return known;
    this.#pacticipants.add(provider);
    const publication = { consumer, provider, version, sha: shaOf(content), content: withIds(content), publishedAt: new Date() };
    this.publications.push(publication);
    return publication;
  }

  publicationsOf(consumer: string, provider: string): Publication[] {
    return this.publications.filter((publication) => publication.consumer === consumer && publication.provider === provider);
  }

  /** The last result of this content and this version of the provider. */
  resultOf(sha: string, providerVersion: string): Result | undefined {
    return this.results.findLast((result) => result.sha === sha && result.providerVersion === providerVersion);
  }

  /** Whether any version of the provider, or one from that branch, was found to do what the content says. */
  verified(publication: Publication, providerBranch: string | undefined): boolean {
    return this.results.some(
      (result) =>
        result.sha === publication.sha &&
        result.success &&
        (!providerBranch || this.version(result.provider, result.providerVersion)?.branches.has(providerBranch)),
    );
  }

  deployed({ pacticipant, number }: Version, environment: string | undefined): boolean {
    const places = environment === undefined ? [...this.environments.values()] : [this.environments.get(environment)];
    return places.some((place) => place?.get(pacticipant) === number);
  }
}

const sha1 = (value: unknown) => createHash('sha1').update(JSON.stringify(value)).digest('hex');
const shaOf = (content: PactContent) => sha1([content.consumer, content.provider, content.interactions]);

// A broker gives each interaction an id, which the verifier sends back with the interaction's result.
const withIds = (content: PactContent): PactContent => ({
  ...content,
  interactions: content.interactions?.map((interaction) => ({ ...interaction, _id: sha1(interaction) })),
});
