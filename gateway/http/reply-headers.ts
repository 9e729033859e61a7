/** A response header as OpenAPI describes it. */
export interface ReplyHeader {
  description: string;
  /** The header is in every such reply. */
  required?: true;
  schema: { type: 'string' | 'integer'; const?: string; minimum?: number };
}

/** Sent with everything that is served: a browser must not take a reply for something else than its type. */
export const ofEveryReply = { 'x-content-type-options': 'nosniff' } as const;

/**
 * Sent with every reply of an API: it shows the state of this moment, and some carry secrets (cohesion, section 1: every call is
 * served live).
 */
export const ofEveryCall = { 'cache-control': 'no-store' } as const;
