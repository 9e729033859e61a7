import type { Provider } from '../../documents/services.ts';
import type { Gap } from '../../register/gap.ts';
import type { ProviderState } from '../states/state.ts';

/** What a pact can be verified with: an API, or a partner's receiver of webhooks, whose consumer the gateway is. */
export type Verifiable = Provider | 'webhook-receiver';

/** How one interaction of one pact came out. */
export type Outcome =
  /** The provider does what the pact says. */
  | 'verified'
  /** It does not: `problems` say where. */
  | 'failed'
  /** It does not, and the pact is pending (pact.io/pending): shown, and no failure. */
  | 'pending';

/** What one verification run found: the content of `--json`, and what every other report is made from. */
export interface Verification {
  provider: Verifiable;
  /** Where it was verified: the reference implementation started for this run, or an address. */
  target: { kind: 'reference' } | { kind: 'address'; url: string };
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  interactions: InteractionResult[];
  /** What a broker said of the pacts (why each was included, what is pending), in its own words. */
  notices: string[];
}

export interface InteractionResult {
  consumer: string;
  provider: string;
  /** The pact's file, its address, or the broker's. */
  source: string;
  kind: 'http' | 'message';
  description: string;
  states: ProviderState[];
  outcome: Outcome;
  durationMs: number;
  /** Empty where it is verified. */
  problems: Problem[];
  /** Ids of the gap register on which the pact says that it rests (the reference group `gap`). */
  restsOn: string[];
  /** What was sent to the provider and what came back; left out where it did not come so far. Authorization is redacted. */
  exchange?: Exchange;
}

export interface Exchange {
  request?: { method: string; path: string; query: string; headers: Record<string, string>; body: string };
  reply?: { status: number; headers: Record<string, string>; body: string };
  /** Of a message: its content and metadata, as delivered. */
  message?: { metadata: Record<string, unknown>; body: string };
}

/** One difference between what the pact says and what the provider does. */
export interface Problem {
  kind: 'status' | 'header' | 'body' | 'metadata' | 'state' | 'provider';
  /** In the body as JSONPath (`$.data.items[0].id`); a header's or a metadata key's name; left out for the rest. */
  path?: string;
  /** As JSON or text; left out where there is nothing to compare. */
  expected?: string;
  actual?: string;
  /** One sentence. */
  message: string;
  /** What the provider's document says about this place. */
  documented?: Documented;
  /** The entry of the gap register that covers this place. */
  gap?: Pick<Gap, 'id' | 'question' | 'choice'>;
}

export interface Documented {
  /** `spec/point-of-sale.md` or `spec/social-cohesion.md`. */
  document: string;
  /** `4. Endpoints`. */
  section: string;
  /** What it says, in a line. */
  says: string;
}
