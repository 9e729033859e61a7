import { planLimits } from '../../../../../spec/documents/plans.ts';
import { form, plural } from '../../lib/format.ts';
import type { limits as en } from '../en/limits.tsx';

export const limits: typeof en = {
  title: 'Limites',
  show: 'Appelants à afficher',
  all: 'Tous les appelants',
  near: 'Proches ou au-delà',
  absent: {
    title: (caller) => `${caller} n'est pas dans cette liste`,
    noCalls: (when, link) => (
      <>
        Aucun appel de sa part {when}. Choisissez une période plus longue, ou {link}.
      </>
    ),
    noCallsOrNotNear: (when, link) => (
      <>
        Aucun appel de sa part {when}, ou aucun proche d'une limite. Choisissez une période plus longue, ou {link}.
      </>
    ),
    link: 'consultez ses appels',
  },
  summary: (callers, when, over, near, ok) =>
    `${plural(callers, 'appelant')} ${when} : ${over} au-delà d'une limite, ${near} ${form(near, 'proche', 'proches')} d'une limite, ${ok} dans ${form(ok, 'ses limites', 'leurs limites')}.`,
  truncated: (callers) => `Seuls les ${callers} appelants qui ont le plus d'appels refusés sont affichés.`,
  nobodyNear: {
    title: "Personne n'est proche d'une limite",
    why: (when) => `Aucun appelant n'a été refusé ni n'a utilisé 80 % d'une limite ${when}.`,
  },
  nobody: {
    title: (when) => `Aucun appel d'un appelant connu ${when}`,
    limits: `Un compte du point de vente est limité par son forfait (appels par minute : ${planLimits('illimité')}). Certaines routes des deux API ont aussi leur propre limite pour chaque appelant. Un appel au-delà d'une limite reçoit 429 et l'heure à laquelle réessayer.`,
    plan: (link) => <>Changez le forfait d'un compte sous {link}.</>,
    accounts: 'Back-office, Comptes',
  },
  deleted: 'supprimé',
  noLimit: "Ses appels n'avaient pas de limite.",
  calls: (calls) => plural(calls, 'appel'),
  sparkline: (caller, when) => `Appels de ${caller} ${when} ; appels refusés en rouge`,
  chart: {
    accepted: 'Acceptés',
    refused: 'Refusés',
    share: 'Part de la limite',
    calls: (when) => `Appels ${when}`,
    callsOf: (caller, when) => `Appels de ${caller} ${when}`,
    peak: "Utilisation maximale d'une limite",
    shareOf: (caller, when) => `Part d'une limite utilisée par ${caller} ${when}`,
    drag: 'Faites glisser sur une période, ou cliquez sur une barre, pour voir ses appels.',
  },
};
