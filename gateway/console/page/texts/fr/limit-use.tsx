import { count, plural } from '../../lib/format.ts';
import type { limitUse as en } from '../en/limit-use.tsx';

const per = (seconds: number | null) => (seconds === 60 ? ' par minute' : seconds === null ? '' : ` en ${seconds} s`);

/** The use of a limit, here and in the profile of partners. */
export const limitUse: typeof en = {
  names: {
    plan: 'forfait',
    'financement-writes': 'écritures de financements',
    'token-guard': 'échecs de demande de jeton',
    'failed-sign-ins': 'échecs de connexion',
    'failed-sign-ins-of-credential': 'échecs de connexion avec cet identifiant',
  },
  refused: (calls) => plural(calls, 'refusé', 'refusés'),
  use: {
    limit: (name, calls, seconds) => (
      <>
        {name} : {count(calls)}
        {per(seconds)}
      </>
    ),
    unknown: 'utilisation actuelle inconnue',
    now: (calls) => `${count(calls)} maintenant`,
    peak: (share) => `pic ${share}`,
    summary: (name, now, limit, peak) => `${name} : ${now} sur ${count(limit)}, ${peak}`,
    resets: (fromNow) => `renouvelée ${fromNow}`,
  },
};
