// A client of the Point-of-Sale Integration API, as short as it can be.

// biome-ignore lint/suspicious/noExplicitAny: the documents show no bodies.
type Body = any;
interface Reply {
  status: number;
  body: Body;
}

const { PASSERELLE_POS_URL: root = 'http://127.0.0.1:4010', ...env } = process.env;
const credentials = { api_key: env.PASSERELLE_POS_API_KEY ?? '', api_secret: env.PASSERELLE_POS_API_SECRET ?? '' };

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await fetch(root + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

export const signIn = (own = {}): Promise<Reply> => send('POST', '/api/auth', { ...credentials, ...own });

export class Shop {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  /** `key`: the same for each attempt of one sale. */
  sell = (sale: object, key = crypto.randomUUID()) =>
    send('POST', '/api/v1/sales', sale, { ...this.#authorization(), 'idempotency-key': key });
  pay = (payment: object) => send('POST', '/api/v1/payment/mobile', payment, this.#authorization());
  stock = (store: string) => this.#get('inventory', { store_id: store });
  report = (asked: Record<string, string>) => this.#get('reports/sales', asked);

  #get = (path: string, query: Record<string, string>) =>
    send('GET', `/api/v1/${path}?${new URLSearchParams(query)}`, undefined, this.#authorization());
  #authorization = () => ({ authorization: `Bearer ${this.#token}` });
}
