/** The API's address and the client's credentials. */
export interface ClientOptions {
  /** The URL before `/api`, such as `http://localhost:4010` for a stub. */
  baseUrl: string;
  /** The token, sent as `Authorization: Bearer`. */
  token?: string;
  /** Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Converts the options to those of openapi-fetch. */
export const requestOptions = ({ baseUrl, token, fetch }: ClientOptions) => ({
  baseUrl,
  headers: { Accept: 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
  ...(fetch === undefined ? {} : { fetch }),
});
