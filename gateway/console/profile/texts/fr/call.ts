import { call as shared } from '../../../page/texts/fr/call.tsx';
import type { call as en } from '../en/call.ts';

export const call: typeof en = {
  ...shared,
  facts: { ...shared.facts, token: "Jeton d'accès" },
  noOperation: "aucune : rien n'est à cette adresse",
  refusal: {
    section: (section) => `Le document, section « ${section} » :`,
    gap: 'Où le document ne dit rien',
    works: 'Une requête qui marche',
    replace: 'Remplacez $TOKEN et les identifiants par les vôtres.',
  },
  redacted: 'Les secrets ne sont pas enregistrés : remplacez YOUR_TOKEN et YOUR_SECRET par les vôtres dans la commande.',
};
