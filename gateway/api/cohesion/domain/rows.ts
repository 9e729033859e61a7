import { hashSecret } from '../../../base/keyring.ts';
import { fold } from '../../../base/text.ts';
import type { Insert } from '../../../store/tables/index.ts';
import { alertStateOf } from './attainment.ts';

/** Rows as they are first stored: by the API's own verbs, as demo data, and as seeds of stubs. `now`: milliseconds since 1970. */

interface NewTokenColumns extends Pick<Insert<'tokens'>, 'id' | 'user_id' | 'name' | 'abilities' | 'structure_ids'> {
  /** The part of the token after `|`. Only its hash is stored. */
  secret: string;
  expires_at?: number | null;
}

export const tokenRow = ({ secret, expires_at = null, ...token }: NewTokenColumns, now: number): Insert<'tokens'> => ({
  ...token,
  token_hash: hashSecret(secret),
  created_at: now,
  last_used_at: null,
  last_used_ip: null,
  expires_at,
  revoked_at: null,
});

export const structureRow = (
  structure: Omit<Insert<'structures'>, 'created_at' | 'search' | 'region_search'>,
  now: number,
): Insert<'structures'> => ({
  ...structure,
  created_at: now,
  search: fold(structure.nom),
  region_search: fold(structure.region),
});

export const indicatorRow = (
  indicator: Omit<Insert<'indicators'>, 'alert_state' | 'updated_at' | 'search'>,
  now: number,
): Insert<'indicators'> => ({
  ...indicator,
  alert_state: alertStateOf(indicator.valeur_courante, indicator.cible_annuelle),
  updated_at: now,
  search: fold(indicator.intitule),
});

export const interventionRow = (
  intervention: Omit<Insert<'interventions'>, 'created_at' | 'updated_at' | 'search' | 'region_search'>,
  now: number,
): Insert<'interventions'> => ({
  ...intervention,
  created_at: now,
  updated_at: now,
  search: fold(intervention.intitule),
  region_search: fold(intervention.region),
});
