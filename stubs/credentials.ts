import type { OwnerNames } from './names.ts';

export interface PosAccount {
  /** The account, as the owner of its endpoints. */
  owner: OwnerNames['pos'];
  /** It limits the calls a minute (`spec/documents/plans.ts`). */
  plan: string;
  apiKey: string;
  apiSecret: string;
}

/** The credentials of a client of the point of sale, for `POST /api/auth`. The same at each start. */
export interface PosCredentials extends PosAccount {
  /** Every account of the stub. The fields beside this one are those of the account with the chosen `plan`. */
  accounts: PosAccount[];
}

export interface CohesionToken {
  /** The token's user, as the owner of its endpoints. */
  owner: OwnerNames['cohesion'];
  name: string;
  /** As a client sends it: the token's id, `|` and its secret. */
  token: string;
  /** Such as `read:stats`. */
  abilities: string[];
  /** Ids of the structures that the token may write for. */
  structures: number[];
}

/** The tokens of a client of the social-cohesion API, for `Authorization: Bearer`. The same at each start. */
export interface CohesionCredentials {
  /** A token with all abilities. */
  token: string;
  /** The user of that token, as the owner of its endpoints. */
  owner: OwnerNames['cohesion'];
  /** Every token of the stub: the one with all abilities, and one per ability. */
  tokens: CohesionToken[];
}

export interface Credentials {
  pos: PosCredentials;
  cohesion: CohesionCredentials;
}

export type ServiceName = 'pos' | 'cohesion';
