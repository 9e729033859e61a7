export type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** One call that a stub received, with what it answered. */
export interface RecordedCall {
  /** The request's id: the reply's `x-request-id`, where it has one. */
  id: string;
  /** When it began, as ISO 8601 in UTC. */
  at: string;
  /** In capitals. */
  method: string;
  /** Without the query string. */
  path: string;
  /** Path and query string as they were sent. */
  url: string;
  query: Readonly<Record<string, unknown>>;
  /** The operationId; left out where the call is no operation of the API. */
  operation?: string;
  requestHeaders: Headers;
  /** As text; '' where there was none. A long one is cut, and says so at its end. */
  requestBody: string;
  /** 0 where no reply was begun: the connection was reset, or the client went away. */
  status: number;
  responseHeaders: Headers;
  /** As sent; of a reply that was cut, the part that went out. A long one is cut as the request's is. */
  responseBody: string;
  durationMs: number;
  /** Why the call was refused. */
  refusal?: { code?: string | undefined; message: string };
  /** The faults that were applied, as their rules are written: `createSale:status=503,times=2`. */
  fault?: string;
  /** Ids of the fault rules among them, by which they can be removed. */
  faultRules?: string[];
}
