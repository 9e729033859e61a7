type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** The scheme of a stub's URLs. */
export type Scheme = 'http' | 'https';

/** A call that a stub received, with its reply. */
export interface RecordedCall {
  /** Also in the reply's header `x-request-id`. */
  id: string;
  /** When the call began, as ISO 8601 in UTC. */
  at: string;
  /** In capitals. */
  method: string;
  /** Without the query string. */
  path: string;
  /** Path and query string as sent. */
  url: string;
  query: Readonly<Record<string, unknown>>;
  /** The operationId. Absent if the path belongs to no operation of the API. */
  operation?: string;
  requestHeaders: Headers;
  /** As text; '' if there was none. A long body is cut, and says so at its end. */
  requestBody: string;
  /** 0 if no reply began: the connection ended, or the client went away. */
  status: number;
  /** The status of the reply that a fault kept back after the work was done. */
  keptBack?: number;
  responseHeaders: Headers;
  /** As sent. If the reply was cut off, the part that was sent. A long body is cut, and says so at its end. */
  responseBody: string;
  /** From the request to the end of the reply, in milliseconds. */
  durationMs: number;
  /** Why the call was refused. */
  refusal?: { code?: string | undefined; message: string };
  /** The applied faults, as their rules are written: `createSale:status=503,times=2`. */
  fault?: string;
  /** Ids of the applied fault rules, for `faults.remove`. */
  faultRules?: string[];
}
