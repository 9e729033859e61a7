import { readText } from './http.ts';

export interface Period {
  /** YYYY-MM-DD, like `end_date`. */
  firstDay?: string;
  lastDay?: string;
}

/** A back office that reads the sales of its stores. */
export class SalesReports {
  readonly #root: string;
  /** A client without a token sends no Authorization. */
  readonly #token: string | undefined;

  constructor(root: string, token: string | undefined) {
    this.#root = root;
    this.#token = token;
  }

  /** Returns JSON text, because the document does not show its shape. */
  read(storeId: string, { firstDay, lastDay }: Period = {}): Promise<string> {
    const query = { store_id: storeId, start_date: firstDay, end_date: lastDay };
    return readText(this.#root, { method: 'GET', path: '/api/v1/reports/sales', token: this.#token, query });
  }
}
