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

export interface CohesionToken {
  name: string;
  /** What a client sends: its id, `|` and its secret. */
  token: string;
  /** What it may do, such as `read:stats`. */
  abilities: string[];
  /** Ids of the structures that it may write for. */
  structures: number[];
}

/** What a client of the social-cohesion API sends as `Authorization: Bearer`. The same at each start. */
export interface CohesionCredentials {
  /** A token with all abilities. */
  token: string;
  /** Every token of the stub: beside it one for each single ability. */
  tokens: CohesionToken[];
}

export interface Credentials {
  pos: PosCredentials;
  cohesion: CohesionCredentials;
}

export type StubApi = 'pos' | 'cohesion';
