import type { server } from '../en/server.ts';

const ofOverload = (calls: string | undefined) =>
  !calls || calls === '0' ? '' : ` (dont ${calls} par surcharge : plus d'appels que la passerelle ne peut en traiter)`;

/** The verdict of the overview by its case. */
export const verdict: typeof server.verdict = {
  store_down: () =>
    "La base ne répond pas. Les appels reçoivent 503 et les livraisons attendent. Rien de ce qui a été confirmé n'est perdu.",
  queue_down: () => "La file d'attente ne répond pas. Les livraisons attendent dans la base et seront envoyées à son retour.",
  ledger_unbalanced: ({ missing, surplus }) =>
    `Le bilan n'est pas équilibré (lignes manquantes : ${missing}, en trop : ${surplus}).`,
  held_many: ({ count, reason, endpoints }) => `${count} endpoints échouent et sont suspendus (${reason}) : ${endpoints}.`,
  failing_many: ({ count, reason, endpoints }) => `${count} endpoints échouent (${reason}) : ${endpoints}.`,
  disabled_many: ({ count, reason, endpoints }) =>
    `${count} endpoints sont désactivés (${reason}), et leurs livraisons ne sont pas envoyées : ${endpoints}.`,
  unsteady_many: ({ count, reason, endpoints }) => `${count} endpoints échouent par moments (${reason}) : ${endpoints}.`,
  dead_letters_one: ({ period }) => `1 livraison a définitivement échoué ${period}.`,
  dead_letters: ({ count, period }) => `${count} livraisons ont définitivement échoué ${period}.`,
  calls_failed_one: ({ period, overload }) =>
    `1 appel a échoué avec une erreur de la passerelle (5xx) ${period}${ofOverload(overload)}.`,
  calls_failed: ({ count, period, overload }) =>
    `${count} appels ont échoué avec une erreur de la passerelle (5xx) ${period}${ofOverload(overload)}.`,
  records_lost_one: () => "1 enregistrement d'appel a été perdu par surcharge depuis le démarrage.",
  records_lost: ({ count }) => `${count} enregistrements d'appels ont été perdus par surcharge depuis le démarrage.`,
  behind_rate: ({ endpoint, rate, waiting }) =>
    `Les tentatives vers ${endpoint} sont limitées à ${rate} par seconde. Livraisons qui attendent leur tour : ${waiting}.`,
  behind_order: ({ endpoint, waiting }) =>
    `${endpoint} reçoit une livraison après l'autre. Livraisons qui attendent leur tour : ${waiting}.`,
  behind: ({ endpoint, median, waiting }) =>
    `${endpoint} est lent : la moitié de ses tentatives durent ${median} ou plus. Livraisons qui attendent leur tour : ${waiting}.`,
  behind_quiet: ({ endpoint, waiting }) =>
    `${endpoint} n'a eu aucune tentative pendant la dernière minute. Livraisons qui attendent leur tour : ${waiting}.`,
  behind_many: ({ count, endpoints }) => `Les livraisons vers ${count} endpoints attendent leur tour : ${endpoints}.`,
  late_one: ({ time }) =>
    `1 livraison a plus de 30 s de retard. Temps pour tenter tout ce qui est dû, au rythme de la dernière minute : ${time}.`,
  late: ({ count, time }) =>
    `${count} livraisons ont plus de 30 s de retard. Temps pour tenter tout ce qui est dû, au rythme de la dernière minute : ${time}.`,
  retrying_one: () => '1 livraison a échoué et attend plus de 30 s sa prochaine tentative.',
  retrying: ({ count }) => `${count} livraisons ont échoué et attendent plus de 30 s leur prochaine tentative.`,
  limited_one: ({ period }) => `Une limite a refusé 1 appel ${period}.`,
  limited: ({ count, period }) => `Des limites ont refusé ${count} appels ${period}.`,
  paused: ({ endpoint }) => `${endpoint} a été mis en pause par un opérateur. Ses livraisons ne sont pas envoyées.`,
  paused_many: ({ count, endpoints }) => `${count} endpoints ont été mis en pause par un opérateur : ${endpoints}.`,
  idle: ({ period }) => `Tout va bien : aucune activité ${period}.`,
  only_calls_one: ({ period }) => `Tout va bien : 1 appel et aucune livraison ${period}.`,
  only_calls: ({ calls, period }) => `Tout va bien : ${calls} appels et aucune livraison ${period}.`,
  delivered_one: ({ period }) => `Tout va bien : 1 livraison ${period}, livrée.`,
  delivered: ({ delivered, period }) => `Tout va bien : ${delivered} livraisons ${period}, toutes livrées.`,
  delivering: ({ delivered, pending, period }) => `Tout va bien. Livrées ${period} : ${delivered}, en cours : ${pending}.`,
};
