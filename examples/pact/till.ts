// The code under test: a till that sells through the Point-of-Sale API.

export interface Line {
  product_id: string;
  quantity: number;
  price: number;
}

export interface Sale {
  store_id: string;
  items: Line[];
  payment_method: 'cash' | 'card' | 'mobile_money';
  customer_phone?: string;
  total: number;
}

export class Refused extends Error {
  status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

export class Till {
  #root: string;
  #token = '';
  constructor(root: string) {
    this.#root = root;
  }

  async signIn(api_key: string, api_secret: string): Promise<{ token: string; expires_in: number; token_type: string }> {
    const reply = await this.#ask('POST', '/api/auth', { api_key, api_secret });
    this.#token = reply.token;
    return reply;
  }

  useToken(token: string): void {
    this.#token = token;
  }

  sell = async (sale: Partial<Sale>) => (await this.#ask('POST', '/api/v1/sales', sale)).data;
  pay = async (payment: { amount: number; phone: string; provider: string; reference: string }) =>
    (await this.#ask('POST', '/api/v1/payment/mobile', payment)).data;
  inventory = async (store_id: string) => (await this.#ask('GET', `/api/v1/inventory?${new URLSearchParams({ store_id })}`)).data;
  report = async (query: Record<string, string>) =>
    (await this.#ask('GET', `/api/v1/reports/sales?${new URLSearchParams(query)}`)).data;

  async #ask(method: string, path: string, body?: object) {
    const reply = await fetch(`${this.#root}${path}`, {
      method,
      headers: {
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Refused(reply.status);
    return reply.json();
  }
}
