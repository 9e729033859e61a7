import type { ServiceName } from '../../spec/documents/services.ts';
import type { PlanName } from '../names.ts';

/** Fixtures for each API: rows with the fields of the back office's requests. */
export interface Fixtures {
  pos: PosFixtures;
  cohesion: CohesionFixtures;
}

/** `demo`: weeks of plausible data. `empty`: only credentials. Or fixtures as an object, or the path of a JSON file of them. */
export type Seed<A extends ServiceName> = 'demo' | 'empty' | Fixtures[A] | (string & {});

/** The initial data of the point-of-sale API. */
export interface PosFixtures extends AnyFixtures {
  /** Default: none. */
  stores?: StoreFixture[] | undefined;
  /** At least one. Default: one on each plan. */
  accounts?: AccountFixture[] | undefined;
  /** Sales of the past. They take nothing from the stock and emit no event. Default: none. */
  sales?: SaleFixture[] | undefined;
}

export interface AnyFixtures {
  /** The path of the JSON Schema, for editors. */
  $schema?: string | undefined;
  /** Events of the past, which no endpoint received. Default: none. */
  events?: EventFixture[] | undefined;
}

export interface EventFixture {
  /** `evt_` and letters or digits. Default: a new one. */
  id?: string | undefined;
  /** The event's type, such as `sale.completed`. */
  event: string;
  /** Merged into the example of the catalogue. Default: the example. */
  data?: Record<string, unknown> | undefined;
  /** ISO 8601 with a zone. Default: the time at the start. */
  created_at?: string | undefined;
}

/** A sale. Its status follows from its payments: cash, card and full payment complete it. */
export interface SaleFixture {
  /** `sale_` and letters or digits. Default: a new one. */
  id?: string | undefined;
  /** Unique. Default: `S-`, the day and a number. */
  reference?: string | undefined;
  /** The id of a store in these fixtures. */
  store_id: string;
  /** The `api_key` of the account that sold. Default: the first one on the plan `enterprise`, or the first one. */
  api_key?: string | undefined;
  items: SaleItemFixture[];
  /** Default `cash`. */
  payment_method?: 'cash' | 'card' | 'mobile_money' | undefined;
  /** Default: null. */
  customer_phone?: string | null | undefined;
  /** ISO 8601 with a zone. Default: the time at the start. */
  created_at?: string | undefined;
  /** Only if it is paid. ISO 8601 with a zone. Default: when its last payment was made. */
  completed_at?: string | undefined;
  /** For `mobile_money` only: those received and pending are at most the sale's total. Default: none. */
  payments?: PaymentFixture[] | undefined;
}

export interface SaleItemFixture {
  product_id: string;
  /** Default: the product's name. Required if the store has no such product. */
  name?: string | undefined;
  /** Default 1. */
  quantity?: number | undefined;
  /** Price of one unit. Default: the product's price. Required if the store has no such product. */
  price?: number | undefined;
}

export interface PaymentFixture {
  /** `pay_` and letters or digits. Default: a new one. */
  id?: string | undefined;
  amount: number;
  phone: string;
  /** Default `orange_money`. */
  provider?: 'orange_money' | 'mtn_momo' | 'moov_money' | undefined;
  /** Default `received`. Only received payments count for the sale. */
  status?: 'pending' | 'received' | 'refused' | 'timed_out' | undefined;
  /** ISO 8601 with a zone. Default: the sale's time. */
  created_at?: string | undefined;
  /** When a pending payment ends. ISO 8601 with a zone. Default: when it is settled by hand. */
  settles_at?: string | undefined;
  /** How it ends then. Default `received`. */
  settles_as?: 'received' | 'refused' | 'timed_out' | undefined;
}

export interface StoreFixture {
  /** 1 to 64 letters, digits, points, hyphens or underscores, such as `STORE-ABJ-02`. */
  id: string;
  /** Default: the id. */
  name?: string | undefined;
  /** Default `Abidjan`. */
  city?: string | undefined;
  /** ISO 4217. Default `XOF`. */
  currency?: string | undefined;
  /** Default: none. */
  products?: ProductFixture[] | undefined;
}

/** A product with what is in stock. Numbers are 0 or more, with at most 6 digits after the point. */
export interface ProductFixture {
  /** Same form as a store's id. */
  product_id: string;
  name: string;
  /** Default `Divers`. */
  category?: string | undefined;
  /** Price of one unit, in the store's currency. */
  price: number;
  /** Default 100. */
  quantity?: number | undefined;
  /** Stock is low at this quantity and below. Default 10. */
  low_threshold?: number | undefined;
}

/** An account with its one API key. */
export interface AccountFixture {
  /** `acc_` and letters or digits: its endpoints have the owner `account:ID`. Default: `acc_1`, `acc_2` and so on. */
  id?: string | undefined;
  name: string;
  /** Default `enterprise`. */
  plan?: PlanName | undefined;
  /** Ids of stores in these fixtures that the account may use. Default: null, which means all. */
  store_ids?: string[] | null | undefined;
  /** Default true. */
  active?: boolean | undefined;
  /** The public part of its credentials. Unique. */
  api_key: string;
  api_secret: string;
}

/** The initial data of the social-cohesion API. A row without an id gets the first free one after the row before it, from 1. */
export interface CohesionFixtures extends AnyFixtures {
  /** At least one. Default: one `gestionnaire`. */
  users?: UserFixture[] | undefined;
  /** Default: none, as for the next three. */
  structures?: StructureFixture[] | undefined;
  indicators?: IndicatorFixture[] | undefined;
  interventions?: InterventionFixture[] | undefined;
  financings?: FinancingFixture[] | undefined;
  /** Annual plans. Default: none. */
  plans?: PlanFixture[] | undefined;
  /** At least one. Default: one with all abilities and one for each single ability. */
  tokens?: TokenFixture[] | undefined;
}

export interface UserFixture {
  id?: number | undefined;
  name: string;
  /** Unique. */
  email: string;
  /** Default `gestionnaire`. */
  role?: 'admin' | 'gestionnaire' | 'lecteur' | undefined;
  /** The perimeter: ids of structures in these fixtures, whose events the user's endpoints receive. Default: null, which means all. */
  structure_ids?: number[] | null | undefined;
  /** An inactive user is answered with 403. Default true. */
  active?: boolean | undefined;
}

export interface StructureFixture {
  id?: number | undefined;
  nom: string;
  /** Short name. Default: null. */
  sigle?: string | null | undefined;
  type: 'ong' | 'ministere' | 'partenaire' | 'collectivite' | 'association';
  region: string;
  /** Only active structures are listed. Default true. */
  active?: boolean | undefined;
}

export interface IndicatorFixture {
  id?: number | undefined;
  /** Unique. */
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
  /** Unique. */
  reference: string;
  /** Title. */
  intitule: string;
  /** The id of a structure in these fixtures. */
  structure_id: number;
  /** Default: the structure's region. */
  region?: string | undefined;
  /** Year, 1900 to 2100. */
  annee: number;
  /** First day, YYYY-MM-DD. Default: null. */
  date_debut?: string | null | undefined;
  /** Last day, YYYY-MM-DD. Default: null. */
  date_fin?: string | null | undefined;
  /** Amount in XOF, with at most two decimals. Default: null. */
  budget?: number | null | undefined;
  /** `brouillon` is a draft, which the API never shows. Default `en_cours`. */
  statut?: 'brouillon' | 'en_cours' | 'suspendu' | 'termine' | 'approuve' | undefined;
  /** The id of the user who validated it. Default: the first user, if it is `approuve`. */
  validated_by?: number | null | undefined;
}

export interface PlanFixture {
  /** Unique. Year, 1900 to 2100. */
  annee: number;
  /** Default `open`. */
  statut?: 'open' | 'closed' | undefined;
}

export interface FinancingFixture {
  id?: number | undefined;
  /** The id of a structure in these fixtures. */
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
  /** The token that clients send: `7|` and 20 to 200 letters, digits, `_` or `-`. Default: one that is the same at each start. */
  token?: string | undefined;
  /** Default: `token 1`, `token 2` and so on. */
  name?: string | undefined;
  /** The id of a user in these fixtures. Default 1. */
  user_id?: number | undefined;
  /** Default: all. */
  abilities?: ('read:indicators' | 'read:interventions' | 'read:structures' | 'read:stats' | 'write:financements')[] | undefined;
  /** The perimeter: ids of the structures that the token may write for. Default: null, which means all. */
  structures?: number[] | null | undefined;
}
