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
  readonly #token: string;

  constructor(root: string, token: string) {
    this.#root = root;
    this.#token = token;
  }

  async create(financing: Financing): Promise<StoredFinancing> {
    const sent = { method: 'POST', path: '/api/v1/financements', token: this.#token, body: financing } as const;
    const { data } = await read<{ data: StoredFinancing }>(this.#root, sent);
    return data;
  }

  async update(id: number, financing: Financing): Promise<void> {
    await call(this.#root, { method: 'PUT', path: `/api/v1/financements/${id}`, token: this.#token, body: financing });
  }
}
