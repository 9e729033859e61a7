/** What a service answered instead of doing what it was asked. The documents show no body of errors: the status is all there is. */
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
  /** From the provider's root. */
  path: string;
  token?: string;
  /** What is undefined is not sent. */
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
}

/** Makes one JSON call. Anything but 2xx is thrown as a refusal. */
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

/** The same for a reply whose body the document shows. */
export async function read<Reply>(root: string, sent: Call): Promise<Reply> {
  return (await (await call(root, sent)).json()) as Reply;
}

/** The same for a reply whose body the document does not show: as it came. */
export async function readText(root: string, sent: Call): Promise<string> {
  return (await call(root, sent)).text();
}
