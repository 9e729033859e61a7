/** What the tests use of `oidc-provider`, which has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface IssuedToken {
    clientId: string;
    scope?: string;
    destroy(): Promise<void>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    /** Finds a token that is valid now. */
    readonly ClientCredentials: { find(value: string): Promise<IssuedToken | undefined> };
    on(event: 'grant.error', listener: (context: unknown, error: Error) => void): void;
    on(event: 'grant.success', listener: () => void): void;
  }
}
