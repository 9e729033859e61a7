import { call, read } from './http.ts';

export interface Financing {
  structure_id: number;
  /** Fiscal year, YYYY. */
  exercice: number;
  bailleur: string;
  type: string;
  intitule: string;
  montant: number;
  statut: string;
}

export interface StoredFinancing extends Financing {
  id: number;
  devise: string;
}

/** A funder's system that reports its financings. */
export class Funder {
  readonly #root: string;
  /** A client without a token sends no Authorization. */
  readonly #token: string | undefined;

  constructor(root: string, token: string | undefined) {
    this.#root = root;
    this.#token = token;
  }

  async create(financing: Financing): Promise<StoredFinancing> {
    const sent = { method: 'POST', path: '/api/v1/financements', token: this.#token, body: financing } as const;
    const { data } = await read<{ data: StoredFinancing }>(this.#root, sent);
    return data;
  }

  /** Updates a financing and returns the reply's record, which the document does not show. */
  async updated(id: number, financing: Financing): Promise<Partial<StoredFinancing>> {
    const sent = { method: 'PUT', path: `/api/v1/financements/${id}`, token: this.#token, body: financing } as const;
    const { data } = await read<{ data: Partial<StoredFinancing> }>(this.#root, sent);
    return data;
  }

  /** Returns true if the token is valid. */
  async isKnown(): Promise<boolean> {
    return (await call(this.#root, { method: 'GET', path: '/api/v1/me', token: this.#token })).ok;
  }

  async update(id: number, financing: Financing): Promise<void> {
    await call(this.#root, { method: 'PUT', path: `/api/v1/financements/${id}`, token: this.#token, body: financing });
  }
}
