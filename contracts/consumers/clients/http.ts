/** An error status of a service. The documents show no error bodies, so it has only the status. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(operation: string, status: number) {
    super(`${operation} was refused with ${status}.`);
    this.status = status;
  }
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  /** Path from the provider's root. */
  path: string;
  token?: string | undefined;
  /** Undefined values are not sent. */
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
}

/** Makes one JSON call. Throws `Refusal` for a status other than 2xx. */
export async function call(root: string, { method, path, token, query = {}, body }: Call): Promise<Response> {
  const url = new URL(`${root}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await fetch(url, {
    method,
    headers: {
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Refusal(`${method} ${path}`, response.status);
  return response;
}

/** Makes a JSON call and returns the parsed body, for documented replies. */
export async function read<Reply>(root: string, sent: Call): Promise<Reply> {
  return (await (await call(root, sent)).json()) as Reply;
}

/** Makes a JSON call and returns the body as text, for undocumented replies. */
export async function readText(root: string, sent: Call): Promise<string> {
  return (await call(root, sent)).text();
}
