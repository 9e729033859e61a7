import type { StubApi } from '../credentials.ts';

/** Own fixtures: rows as the back office creates them. */
export interface Fixtures {
  pos: PosFixtures;
  cohesion: CohesionFixtures;
}

/** `demo`: weeks of plausible data. `empty`: nothing but credentials. Else own fixtures, or the path of their JSON file. */
export type Seed<A extends StubApi> = 'demo' | 'empty' | Fixtures[A] | (string & {});

/** What a point of sale begins with. */
export interface PosFixtures {
  /** None by default. */
  stores?: StoreFixture[] | undefined;
  /** At least one; by default, one on each plan. */
  accounts?: AccountFixture[] | undefined;
}

export interface StoreFixture {
  /** 1 to 64 letters, digits, points, hyphens or underscores, such as `STORE-ABJ-02`. */
  id: string;
  /** The id by default. */
  name?: string | undefined;
  /** Default `Abidjan`. */
  city?: string | undefined;
  /** ISO 4217. Default `XOF`. */
  currency?: string | undefined;
  /** None by default. */
  products?: ProductFixture[] | undefined;
}

/** A product with what is in stock. Numbers are 0 or more, with at most 6 digits after the point. */
export interface ProductFixture {
  /** Formed as a store's id. */
  product_id: string;
  name: string;
  /** Default `Divers`. */
  category?: string | undefined;
  /** Of one unit, in the store's currency. */
  price: number;
  /** Default 100. */
  quantity?: number | undefined;
  /** At this quantity and below, stock is low. Default 10. */
  low_threshold?: number | undefined;
}

/** An account with its one API key. */
export interface AccountFixture {
  name: string;
  /** Default `enterprise`. */
  plan?: 'free' | 'pro' | 'enterprise' | undefined;
  /** Ids of stores here that it may use; null, the default, for all of them. */
  store_ids?: string[] | null | undefined;
  /** Default true. */
  active?: boolean | undefined;
  /** The public half of its credentials; no other account's. */
  api_key: string;
  api_secret: string;
}

/** What the social-cohesion API begins with. A row without an id gets the first free one after its neighbour's, from 1. */
export interface CohesionFixtures {
  /** At least one; by default, one `gestionnaire`. */
  users?: UserFixture[] | undefined;
  /** None by default, as of the next three. */
  structures?: StructureFixture[] | undefined;
  indicators?: IndicatorFixture[] | undefined;
  interventions?: InterventionFixture[] | undefined;
  financings?: FinancingFixture[] | undefined;
  /** At least one; by default, one with all abilities and one for each single ability. */
  tokens?: TokenFixture[] | undefined;
}

export interface UserFixture {
  id?: number | undefined;
  name: string;
  /** No other user's. */
  email: string;
  /** Default `gestionnaire`. */
  role?: 'admin' | 'gestionnaire' | 'lecteur' | undefined;
  /** An inactive user is answered with 403. Default true. */
  active?: boolean | undefined;
}

export interface StructureFixture {
  id?: number | undefined;
  nom: string;
  /** Short name; null by default. */
  sigle?: string | null | undefined;
  type: 'ong' | 'ministere' | 'partenaire' | 'collectivite' | 'association';
  region: string;
  /** Only active structures are listed. Default true. */
  active?: boolean | undefined;
}

export interface IndicatorFixture {
  id?: number | undefined;
  /** No other indicator's. */
  code: string;
  /** Title. */
  intitule: string;
  type: 'activite' | 'resultat' | 'impact';
  /** Unit of both values, such as `comités`. */
  unite: string;
  /** Annual target: 0 or more. */
  cible_annuelle: number;
  /** Current value: 0 or more. Default 0. */
  valeur_courante?: number | undefined;
  /** Default false. */
  is_kpi?: boolean | undefined;
  /** Only active indicators are listed. Default true. */
  active?: boolean | undefined;
}

export interface InterventionFixture {
  id?: number | undefined;
  /** No other intervention's. */
  reference: string;
  /** Title. */
  intitule: string;
  /** One of the structures here. */
  structure_id: number;
  /** The structure's own by default. */
  region?: string | undefined;
  /** Year, 1900 to 2100. */
  annee: number;
  /** First day, YYYY-MM-DD; null by default. */
  date_debut?: string | null | undefined;
  /** Last day, YYYY-MM-DD; null by default. */
  date_fin?: string | null | undefined;
  /** In XOF, with at most two decimals; null by default. */
  budget?: number | null | undefined;
  /** `brouillon` is a draft, which the API never shows. Default `en_cours`. */
  statut?: 'brouillon' | 'en_cours' | 'suspendu' | 'termine' | 'approuve' | undefined;
}

export interface FinancingFixture {
  id?: number | undefined;
  /** One of the structures here. */
  structure_id: number;
  /** Fiscal year, 1900 to 2100. */
  exercice: number;
  /** The funder's name. */
  bailleur: string;
  type: 'etat' | 'bailleur' | 'collectivite' | 'partenaire' | 'prive';
  /** Title. */
  intitule: string;
  /** Amount in `devise`, with at most two decimals. */
  montant: number;
  /** Currency code (ISO 4217). Default `XOF`. */
  devise?: string | undefined;
  statut: 'promis' | 'obtenu' | 'decaisse' | 'annule';
}

export interface TokenFixture {
  /** What a client sends: `7|` and 20 to 200 letters, digits, `_` or `-`. By default one that is the same at each start. */
  token?: string | undefined;
  /** By default `token 1` and so on. */
  name?: string | undefined;
  /** One of the users here. Default 1. */
  user_id?: number | undefined;
  /** All of them by default. */
  abilities?: ('read:indicators' | 'read:interventions' | 'read:structures' | 'read:stats' | 'write:financements')[] | undefined;
  /** The perimeter: structures here that it may write for; null, the default, for all of them. */
  structures?: number[] | null | undefined;
}
