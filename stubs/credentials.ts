import type { DemoCredentials } from '../gateway/demo.ts';
import type { ProviderName } from '../gateway/providers.ts';

export interface PosAccount {
  /** `free` (100 calls a minute), `pro` (1000) or `enterprise` (unlimited). */
  plan: string;
  apiKey: string;
  apiSecret: string;
}

/** What a client of the point of sale signs in with: `POST /api/auth`. The same at each start. */
export interface PosCredentials extends PosAccount {
  /** Every account of the stub; the one beside is that of the plan asked for. */
  accounts: PosAccount[];
}

/** What a client of the social-cohesion API sends as `Authorization: Bearer`. The same at each start. */
export interface CohesionCredentials {
  /** A token with all abilities. */
  token: string;
  /** Every token of the stub: beside it one for each single ability. */
  tokens: DemoCredentials['cohesion']['tokens'];
}

export interface Credentials {
  pos: PosCredentials;
  cohesion: CohesionCredentials;
}

export type StubApi = ProviderName;
