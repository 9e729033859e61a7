import { readText } from './http.ts';

export interface Period {
  /** YYYY-MM-DD, as the last day. */
  firstDay?: string;
  lastDay?: string;
}

/** A back office that reads what its stores sold. */
export class SalesReports {
  readonly #root: string;
  readonly #token: string;

  constructor(root: string, token: string) {
    this.#root = root;
    this.#token = token;
  }

  /** As JSON text, whose shape the document does not show. */
  read(storeId: string, { firstDay, lastDay }: Period = {}): Promise<string> {
    const query = { store_id: storeId, start_date: firstDay, end_date: lastDay };
    return readText(this.#root, { method: 'GET', path: '/api/v1/reports/sales', token: this.#token, query });
  }
}
