import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Gap } from '../../../spec/gaps/gap.ts';
import type { ProviderState } from '../states/state.ts';

/** A provider of pacts: an API, or a partner's webhook receiver (whose consumer is the gateway). */
export type Verifiable = ServiceName | 'webhook-receiver';

/** The result of one interaction. */
export type Outcome =
  | 'verified'
  /** The provider does not do what the pact says: see `problems`. */
  | 'failed'
  /** As `failed`, but it does not count as a failure: see `pendingBecause`. */
  | 'pending';

export type PendingBecause =
  /** The interaction says so itself (`pending` of Pact V4). */
  | 'pact'
  /** No version of the provider's branch has verified the pact (pact.io/pending). */
  | 'broker'
  /** The API documents do not require it. */
  | 'documents'
  /** A receiver neither accepted nor refused what it must refuse. */
  | 'undecided';

/** The results of one verification run: the content of `--json`, and the source of all other reports. */
export interface Verification {
  provider: Verifiable;
  /** The verified provider: the reference implementation, or a URL. */
  target: { kind: 'reference' } | { kind: 'address'; url: string };
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  interactions: InteractionResult[];
  /** The broker's notes on the pacts: why each was selected, and which are pending. */
  notices: string[];
  /** What could not be done: pacts that could not be verified, and teardowns that failed. The verdicts stand. */
  unfinished: string[];
}

export interface InteractionResult {
  consumer: string;
  provider: string;
  /** The pact's file name or URL. */
  source: string;
  /** The id that a broker gave the interaction. */
  id?: string;
  kind: 'http' | 'message';
  description: string;
  states: ProviderState[];
  outcome: Outcome;
  /** Why a failure does not count; only of pending interactions. */
  pendingBecause?: PendingBecause;
  /** True if the provider or its states could not be reached: the interaction was not verified. */
  couldNotRun?: boolean;
  durationMs: number;
  /** Empty if the interaction is verified. */
  problems: Problem[];
  /** Gap ids that the pact names in its references of the group `gap`. */
  restsOn: string[];
  /** The request and the reply or message, if they exist. Authorization is redacted. */
  exchange?: Exchange;
}

export interface Exchange {
  request?: { method: string; path: string; query: string; headers: Record<string, string>; body: string };
  reply?: { status: number; headers: Record<string, string>; body: string };
  /** Content and metadata of the message, as delivered. */
  message?: { metadata: Record<string, unknown>; body: string };
}

/** One difference between the pact and the provider. */
export interface Problem {
  kind: 'status' | 'header' | 'body' | 'metadata' | 'state' | 'provider';
  /** JSONPath in the body (`$.data.items[0].id`), or the name of a header or metadata key. */
  path?: string;
  /** JSON or text, if there is a value to compare. */
  expected?: string;
  actual?: string;
  /** One sentence. */
  message: string;
  /** The line of the provider's document about this place. */
  documented?: Documented;
  /** The gap that covers this place. */
  gap?: Pick<Gap, 'id' | 'question' | 'choice'>;
}

export interface Documented {
  /** `spec/point-of-sale.md` or `spec/social-cohesion.md`. */
  document: string;
  /** `4. Endpoints`. */
  section: string;
  /** The quoted line. */
  says: string;
}
