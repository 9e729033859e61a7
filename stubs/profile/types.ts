import type { ServiceName } from '../../spec/documents/services.ts';
import type { CohesionToken, PosAccount } from '../credentials.ts';
import type { OtherText, OwnerName } from '../names.ts';
import type { TokenFixture } from '../seed/types.ts';
import type { NewStubEndpoint, StubDelivery, StubEndpoint } from '../webhook-types.ts';

/** What the partners of a stub have in their profiles: the credentials and webhooks of each account or user. */
export interface StubProfiles {
  pos: PosProfile;
  cohesion: CohesionProfile;
}

/** Every `owner` is by default the one of the stub's credentials. */
interface AnyProfile<A extends ServiceName> {
  /**
   * Registers an endpoint of an owner. It counts at once, without the verification that a partner needs: a test has a receiver of
   * its own. Throws a `Refusal` if a field is not accepted, also for an owner that does not exist.
   */
  createEndpoint(endpoint: NewOwnedEndpoint<A>): Promise<OwnedEndpoint>;
  /** The endpoints of an owner, also those made through `/profile/v1` or by an operator, oldest first. */
  endpoints(owner?: OwnerName<A> | OtherText): Promise<OwnedEndpoint[]>;
  /** The deliveries to the endpoints of an owner, oldest first, also to removed ones. `reason` says why one was skipped. */
  deliveries(owner?: OwnerName<A> | OtherText): Promise<StubDelivery[]>;
}

export interface PosProfile extends AnyProfile<'pos'> {
  /** Creates another API key of an account. It works until the stub is reset. */
  createKey(key?: NewKey): Promise<PosAccount>;
}

export interface CohesionProfile extends AnyProfile<'cohesion'> {
  /** Creates a token of a user. It works until it expires, or the stub is reset. */
  createToken(token: NewProfileToken): Promise<CohesionToken>;
}

export interface NewKey {
  /** `account:ID`. Default: the account of the stub's credentials. */
  account?: OwnerName<'pos'> | OtherText;
}

export interface NewProfileToken {
  /** `user:ID`, or its id. Default: the user of the stub's credentials. */
  user?: OwnerName<'cohesion'> | number | OtherText;
  name: string;
  /** Default: all. */
  abilities?: NonNullable<TokenFixture['abilities']>;
  /** Ids of structures of the user's perimeter. Default: null, which means all of them. */
  structures?: number[] | null;
  /** ISO 8601, or milliseconds since 1970. Default: never. */
  expiresAt?: string | number | Date | null;
}

export interface NewOwnedEndpoint<A extends ServiceName = ServiceName> extends NewStubEndpoint<A> {
  /** Ids of stores (pos) or structures (cohesion) that the owner may see. Default: null, which means all of them. */
  perimeter?: (string | number)[] | null;
}

export interface OwnedEndpoint extends StubEndpoint {
  owner: OwnerName;
  perimeter: string[] | null;
  active: boolean;
  /** Why it is not active: such as `owner_inactive`, `unverified` for one made through `/profile/v1`, or `url_changed`. */
  disabled_reason: string | null;
}
