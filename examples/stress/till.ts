// A till that is ready for a bad line: one key for each sale, the same one with each attempt; it waits as Retry-After says, gets another token
// after a 401, and gives up after a few attempts. A test can take one of these habits away: `passerelle stress` names what follows.

const root = process.env.PASSERELLE_POS_URL ?? 'http://127.0.0.1:4010';
const credentials = { api_key: process.env.PASSERELLE_POS_API_KEY, api_secret: process.env.PASSERELLE_POS_API_SECRET };

export interface Habits {
  /** Sends an Idempotency-Key with each POST. */
  sendsKeys: boolean;
  /** Waits as long as Retry-After says. */
  waits: boolean;
  /** Tells its caller when it gives up. */
  tells: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the documents show no bodies.
type Body = any;

const mostAttempts = 4;
const timeoutMs = 30_000;

/** True if another attempt may succeed: the service or the line failed, and not the request. */
const isPassing = (status: number) => status === 429 || status >= 500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Till {
  readonly #habits: Habits;
  #token: string | undefined;

  constructor(habits: Partial<Habits> = {}) {
    this.#habits = { sendsKeys: true, waits: true, tells: true, ...habits };
  }

  sell = (sale: object): Promise<Body> => this.#call('POST', '/api/v1/sales', sale);
  pay = (payment: object): Promise<Body> => this.#call('POST', '/api/v1/payment/mobile', payment);
  inventory = (store: string): Promise<Body> => this.#call('GET', `/api/v1/inventory?store_id=${store}`);

  async #call(method: string, path: string, body?: object): Promise<Body> {
    const key = crypto.randomUUID();
    try {
      return await this.#attempts(async () => {
        this.#token ??= (await this.#send('POST', '/api/auth', credentials)).token;
        const headers = {
          authorization: `Bearer ${this.#token}`,
          ...(this.#habits.sendsKeys && body && { 'idempotency-key': key }),
        };
        return this.#send(method, path, body, headers);
      });
    } catch (error) {
      if (this.#habits.tells) throw error;
      return undefined;
    }
  }

  async #attempts(send: () => Promise<Body>): Promise<Body> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        const { status = 500, waitMs = 0 } = error as { status?: number; waitMs?: number };
        const hasOldToken = status === 401 && this.#token !== undefined;
        if (hasOldToken) this.#token = undefined;
        if (attempt === mostAttempts || !(isPassing(status) || hasOldToken)) throw error;
        await pause(this.#habits.waits ? Math.max(waitMs, 20 * 2 ** attempt) : 40);
      }
    }
  }

  /** Throws an error with the status of a refusal, and without one if no whole reply came. */
  async #send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Body> {
    const reply = await fetch(`${root}${path}`, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await reply.text();
    if (reply.ok) return JSON.parse(text);
    const waitMs = 1000 * Number(reply.headers.get('retry-after') ?? 0);
    throw Object.assign(new Error(`${method} ${path}: ${reply.status}`), { status: reply.status, waitMs });
  }
}
