/** Where a client finds its API, and who it is there. */
export interface ClientOptions {
  /** What stands before `/api`, such as `http://localhost:4010` for a stub. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  /** Instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The options as openapi-fetch takes them. */
export function requestOptions({ baseUrl, token, fetch }: ClientOptions) {
  return {
    baseUrl,
    headers: { Accept: 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    ...(fetch === undefined ? {} : { fetch }),
  };
}
