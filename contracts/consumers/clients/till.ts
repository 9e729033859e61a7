import { call, readText } from './http.ts';

export interface Sale {
  store_id: string;
  items: SaleItem[];
  payment_method: string;
  customer_phone?: string;
  total: number;
}

interface SaleItem {
  product_id: string;
  quantity: number;
  price: number;
}

export interface MobilePayment {
  amount: number;
  phone: string;
  provider: string;
  /** The reference of the sale. */
  reference: string;
}

/** A shop's till: sells, takes mobile money and reads the stock. */
export class Till {
  readonly #root: string;
  /** A client without a token sends no Authorization. */
  readonly #token: string | undefined;

  constructor(root: string, token: string | undefined) {
    this.#root = root;
    this.#token = token;
  }

  async sell(sale: Sale): Promise<void> {
    await call(this.#root, { method: 'POST', path: '/api/v1/sales', token: this.#token, body: sale });
  }

  async takePayment(payment: MobilePayment): Promise<void> {
    await call(this.#root, { method: 'POST', path: '/api/v1/payment/mobile', token: this.#token, body: payment });
  }

  /** Returns JSON text, because the document does not show its shape. */
  inventory(storeId: string): Promise<string> {
    const query = { store_id: storeId };
    return readText(this.#root, { method: 'GET', path: '/api/v1/inventory', token: this.#token, query });
  }
}
