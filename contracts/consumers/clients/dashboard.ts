import { read, readText } from './http.ts';

export interface Me {
  user: { id: number; name: string; email: string; role: string };
  token: { name: string; abilities: string[]; last_used_at: string };
}

type IndicatorType = 'activite' | 'resultat' | 'impact';

export interface Indicator {
  id: number;
  code: string;
  intitule: string;
  type: IndicatorType;
  unite: string;
  valeur_courante: number;
  cible_annuelle: number;
  taux_atteinte: number;
  alert_state: string;
  is_kpi: boolean;
}

export interface Page<Row> {
  data: Row[];
  meta: { page: number; per_page: number; total: number; last_page: number };
}

/** A record without documented fields. */
export type UnknownRecord = Record<string, unknown>;

export type IndicatorFilters = { type?: IndicatorType; kpi?: boolean | 1; q?: string; per_page?: number; page?: number };
export type InterventionFilters = { statut?: string; region?: string; annee?: number; q?: string; per_page?: number };
export type StructureFilters = { type?: string; region?: string; q?: string };

/** A dashboard that reads all data of the social-cohesion API. */
export class Dashboard {
  readonly #root: string;
  /** A client without a token sends no Authorization. */
  readonly #token: string | undefined;

  constructor(root: string, token: string | undefined) {
    this.#root = root;
    this.#token = token;
  }

  async me(): Promise<Me> {
    const { data } = await read<{ data: Me }>(this.#root, this.#get('/api/v1/me'));
    return data;
  }

  indicators(filters: IndicatorFilters = {}): Promise<Page<Indicator>> {
    return read(this.#root, this.#get('/api/v1/indicateurs', filters));
  }

  /** Returns JSON text, because the document does not show its shape. */
  indicator(id: number): Promise<string> {
    return readText(this.#root, this.#get(`/api/v1/indicateurs/${id}`));
  }

  interventions(filters: InterventionFilters = {}): Promise<Page<UnknownRecord>> {
    return read(this.#root, this.#get('/api/v1/interventions', filters));
  }

  structures(filters: StructureFilters = {}): Promise<Page<UnknownRecord>> {
    return read(this.#root, this.#get('/api/v1/structures', filters));
  }

  /** Returns JSON text, because the document does not show its shape. */
  stats(annee?: number): Promise<string> {
    return readText(this.#root, this.#get('/api/v1/stats', { annee }));
  }

  #get(path: string, query: Record<string, string | number | boolean | undefined> = {}) {
    return { method: 'GET', path, token: this.#token, query } as const;
  }
}
