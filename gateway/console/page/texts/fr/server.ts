import type { server as en } from '../en/server.ts';
import { diagnosis } from './diagnosis.ts';
import { nextAttempts } from './next-attempts.ts';
import { causes, events, reasons, refusals, rules } from './server-shared.ts';
import { verdict } from './verdict.ts';

/** What only operators meet. */
const ofOperators: { events: (typeof en)['events']; refusals: (typeof en)['refusals']; notices: (typeof en)['notices'] } = {
  notices: {
    'endpoint.held': {
      message: 'Le récepteur échoue ou est surchargé. Les livraisons attendent.',
      advice:
        "Une seule tentative teste le récepteur de temps en temps. Quand elle réussit, les livraisons continuent. Aucune livraison n'est perdue.",
    },
    'endpoint.recovered': {
      message: 'Une tentative a réussi. Les livraisons continuent.',
      advice:
        'Les livraisons qui attendaient sont envoyées. Celles qui y avaient échoué définitivement sont relancées automatiquement.',
    },
    'endpoint.disabled': {
      message: "L'endpoint a été désactivé, et ses livraisons en attente ne sont pas envoyées.",
      advice:
        "Quand le récepteur fonctionne de nouveau, activez l'endpoint. Après le premier succès, les livraisons manquées sont relancées automatiquement, sauf après un 410.",
    },
    'endpoint.secret_unconfirmed': {
      message: "Le nouveau secret n'est pas confirmé, et l'ancien cesse bientôt de signer.",
      advice:
        "Donnez le nouveau secret au récepteur, puis confirmez-le, ou envoyez un événement de test que seul le nouveau secret signe. Pour garder l'ancien secret, annulez le renouvellement.",
    },
  },
  events: {
    'endpoint.held':
      "Ses livraisons attendent, car son récepteur échoue ou est surchargé. Une seule tentative le teste de temps en temps. Aucune livraison n'est perdue.",
    'endpoint.recovered':
      'Son récepteur fonctionne de nouveau, et les livraisons qui attendaient sont envoyées. Celles en échec définitif pendant la panne sont relancées automatiquement, sauf si auto_recovery est désactivé.',
    'endpoint.disabled':
      'Plus rien ne lui est envoyé. Quand son récepteur fonctionne de nouveau, activez-le (PATCH /manage/v1/endpoints/ID {"active":true}). Après son premier succès, tout ce qui lui manque est envoyé automatiquement ; après un 410, ou si auto_recovery est désactivé, relancez-le (POST /manage/v1/recoveries).',
    'endpoint.secret_unconfirmed':
      "Son secret a été renouvelé, et le chevauchement se termine bientôt. Donnez le nouveau secret au récepteur, puis confirmez-le : POST /manage/v1/endpoints/ID/confirm-secret, ou un événement de test avec `secret=new`. Pour garder l'ancien : POST /manage/v1/endpoints/ID/cancel-rotation.",
  },
  refusals: {
    wrong_credential: () => "Aucun opérateur actif n'a cet identifiant secret.",
    alert_over: () => "Cette alerte est terminée : il n'y a plus rien à traiter.",
    own_operator: () => 'Vous ne pouvez pas vous désactiver ni réduire votre propre rôle. Un autre opérateur le peut.',
    viewer_cannot_change: () => 'Un lecteur ne peut rien modifier. Un opérateur peut le faire, ou vous donner le rôle opérateur.',
  },
};

export const server: typeof en = {
  reasons,
  notices: ofOperators.notices,
  events: { ...events, ...ofOperators.events },
  refusals: { ...refusals, ...ofOperators.refusals },
  onPage: {},
  rules: {
    ...rules,
    url_not_public: `${rules.url_not_public} Votre propre réseau s'autorise par le réglage WEBHOOK_ALLOW_NETWORKS.`,
  },
  verdict,
  causes,
  nextAttempts,
  diagnosis,
};
