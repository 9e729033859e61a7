import type { server } from '../en/server.ts';
import { mistakes } from './mistakes.ts';

export const diagnosis: typeof server.diagnosis = {
  reasons: {
    valid: 'La signature est valide, et son horodatage est dans la tolérance.',
    valid_at_any_time:
      'La signature est valide. X-SERVICE-Signature ne couvre aucun horodatage : vérifiez aussi webhook-signature, sinon une requête enregistrée peut être rejouée.',
    missing_header: 'Un en-tête nécessaire manque.',
    malformed_header: "Un en-tête n'a pas la forme attendue, ou est présent plusieurs fois.",
    unusable_secret: "Le secret ne peut pas servir de clé : il n'a pas la forme attendue.",
    unusable_option: 'Une option de la vérification est inutilisable.',
    wrong_signature: 'La signature ne correspond pas : le corps a été changé, ou le secret est faux.',
    timestamp_too_old: "L'horodatage est trop ancien.",
    timestamp_too_new: "L'horodatage est dans le futur.",
    body_not_raw: "Le corps n'est pas le corps brut.",
  },
  mistakes,
  comparisons: {
    body_as_sent: ({ bytes }) => `Comme envoyé : ${bytes} octets.`,
    body_as_received: () => "Tel que le récepteur l'a reçu. L'événement n'est plus conservé.",
    body_same: ({ bytes }) => `Le récepteur a reçu le corps envoyé : ${bytes} octets.`,
    body_other: ({ sent, received, from }) =>
      `Le récepteur a reçu un autre corps : ${sent} octets envoyés, ${received} octets reçus. Ils diffèrent à partir de l'octet ${from}.`,
    headers_as_sent: ({ attempt }) => `Comme la tentative ${attempt} les a envoyés.`,
    headers_as_received: () => "Tels que le récepteur les a reçus. Aucune tentative de la livraison n'est conservée.",
    headers_same: ({ attempt }) => `Les en-têtes de signature sont ceux de la tentative ${attempt}.`,
    headers_other: ({ attempt, names }) => `Différents de la tentative ${attempt} : ${names}.`,
    headers_missing: ({ attempt, names, missing }) =>
      `Différents de la tentative ${attempt} : ${names} (manquants : ${missing}).`,
    secret_as_sent: ({ ids }) => `Les secrets de l'endpoint : ${ids}.`,
    secret_as_received: () => "Celui du récepteur. Aucun de ceux de l'endpoint ne peut être déchiffré.",
    secret_foreign: () => "Le secret du récepteur n'est aucun de ceux de l'endpoint.",
    secret_old: ({ id, newest }) => `Le secret du récepteur est ${id} de l'endpoint. Le plus récent à ce moment était ${newest}.`,
    secret_same: ({ id }) => `Le secret du récepteur est ${id} de l'endpoint.`,
    secret_of_other_header: ({ id, header, signer }) =>
      `Le secret du récepteur est ${id} de l'endpoint, qui a signé webhook-signature. ${header} a été signé par ${signer}, car un seul secret le signe pendant un renouvellement.`,
  },
};
