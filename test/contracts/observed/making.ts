/** A call that was made, and what it was answered. */
export interface Made {
  name: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: replies have any shape
  body: any;
}

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends a request, to the address of a service or in another way. */
export type Send = (sent: Sent) => Promise<{ status: number; headers: Headers; text: string }>;

export const sendTo =
  (url: string): Send =>
  async ({ path, ...sent }) => {
    const reply = await fetch(`${url}${path}`, sent);
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };

/** Makes calls with these headers. A body that is text is sent as it is. */
export function making(send: Send, headersNow: () => Record<string, string>) {
  const made: Made[] = [];
  async function ask(name: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const { text, ...reply } = await send({
      method,
      path,
      headers: { ...headersNow(), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = text !== '' && /json/.test(reply.headers.get('content-type') ?? '');
    const one: Made = { name, ...reply, body: isJson ? JSON.parse(text) : text };
    made.push(one);
    return one;
  }
  return { made, ask };
}
