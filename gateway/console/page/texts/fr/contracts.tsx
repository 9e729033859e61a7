import type { ReactNode } from 'react';
import { count, plural } from '../../lib/format.ts';
import type { contracts as en } from '../en/contracts.tsx';

export const contracts: typeof en = {
  title: 'Contrats',
  tabs: { gaps: 'Registre des lacunes', verifications: 'Vérifications', documents: 'Documents OpenAPI' },
  gaps: {
    filters: { q: 'Rechercher', qExample: 'currency, token … (/)', api: 'API', status: 'Statut' },
    status: { assumed: 'supposée', confirmed: 'confirmée', refuted: 'réfutée' },
    all: (gaps: number, address: ReactNode) => (
      <>
        {plural(gaps, 'lacune', 'lacunes')} dans les deux documents : ce qu'ils laissent ouvert, et ce que fait Passerelle, en
        anglais. Les partenaires peuvent les lire à l'adresse {address}.
      </>
    ),
    some: (shown: number, gaps: number, address: ReactNode) => (
      <>
        {count(shown)} sur {plural(gaps, 'lacune', 'lacunes')} dans les deux documents : ce qu'ils laissent ouvert, et ce que fait
        Passerelle, en anglais. Les partenaires peuvent les lire à l'adresse {address}.
      </>
    ),
    noMatches: { title: 'Aucune lacune ne correspond', next: 'Retirez un mot ou un filtre.' },
    place: (api: string, section: string) => `${api}, section ${section}`,
    quote: (words: ReactNode) => <>Le document : « {words} »</>,
    choice: 'Choix :',
    why: 'Pourquoi :',
    alternatives: 'Autres possibilités :',
    copyCommand: (alternative: string) => `Copier la commande pour ${alternative}`,
    notPlayed: (reason: ReactNode) => <>Aucun stub ne la joue. {reason}</>,
  },
  verifications: {
    label: 'Vérification publiée',
    verified: (at: string, providers: string) => `${at} : ${providers}, réussie`,
    failed: (at: string, providers: string, failed: number) => `${at} : ${providers}, ${plural(failed, 'échec', 'échecs')}`,
    result: { verified: 'réussie', failed: 'échouée' },
    summary: (interactions: number, failed: number, published: ReactNode) => (
      <>
        {plural(interactions, 'interaction', 'interactions')}, dont {plural(failed, 'échec', 'échecs')}. Publication : {published}
        .
      </>
    ),
    none: {
      title: "Aucune vérification n'a encore été publiée",
      next: 'Une vérification rejoue les interactions des pactes avec une implémentation et signale les différences. Lancez cette commande pour vérifier et publier le rapport ici :',
    },
  },
  report: {
    label: 'Interactions à afficher',
    all: 'Toutes',
    none: 'Aucune.',
    outcome: { failed: 'échouée', pending: 'en attente', verified: 'vérifiée' },
    outcomes: {
      failed: (interactions: number) => plural(interactions, 'échouée', 'échouées'),
      pending: (interactions: number) => `${count(interactions)} en attente`,
      verified: (interactions: number) => plural(interactions, 'vérifiée', 'vérifiées'),
    },
    reference: (took: string) => `l'implémentation de référence, ${took}`,
    address: (url: string, took: string) => `à l'adresse ${url}, ${took}`,
  },
  interaction: {
    given: (states: ReactNode) => <>Étant donné : {states}.</>,
    and: ', et ',
    source: (took: string, file: string) => `${took}, d'après ${file}.`,
    restsOn: 'Dépend des choix pour :',
    kind: {
      status: 'statut',
      header: 'en-tête',
      body: 'corps',
      metadata: 'métadonnées',
      state: 'état',
      provider: 'fournisseur',
    },
    at: (kind: string, path: string) => `${kind} à ${path}`,
    expected: 'Attendu',
    actual: 'Obtenu',
    value: (name: string) => `${name} :`,
    documented: (document: ReactNode, section: string, says: ReactNode) => (
      <>
        {document}, section {section} : « {says} »
      </>
    ),
    gap: (question: ReactNode, choice: ReactNode, id: ReactNode) => (
      <>
        Les documents laissent ouvert : {question} Choix : {choice} ({id})
      </>
    ),
    requestBody: 'Corps de la requête',
    reply: (status: number) => `Réponse : ${status}`,
    replyBody: 'Corps de la réponse',
    message: 'Message',
  },
  documents: {
    title: 'Lire les documents et essayer les opérations',
    about: (address: ReactNode, files: ReactNode) => (
      <>
        {address} les montre tous avec leurs schémas, en anglais, et envoie des requêtes. Pour les générateurs et les outils :{' '}
        {files}
      </>
    ),
    label: 'Document',
    names: { pos: 'Point de vente', cohesion: 'Cohésion sociale', manage: 'API de gestion', profile: 'API du profil' },
    filter: 'Opération',
    filterExample: 'sale, /stats … (/)',
    all: (title: ReactNode, version: string, operations: number) => (
      <>
        {title}, version {version} : {plural(operations, 'opération', 'opérations')}.
      </>
    ),
    found: (title: ReactNode, version: string, operations: number) => (
      <>
        {title}, version {version} : {plural(operations, 'opération trouvée', 'opérations trouvées')}.
      </>
    ),
    event: 'événement',
    calls: 'appels',
    events: 'événements',
    callsOf: (operation: string) => `appels de ${operation}`,
    eventsOf: (type: string) => `événements de ${type}`,
  },
};
