import type { ReactNode } from 'react';
import { count, plural } from '../../lib/format.ts';
import type { alerts as en } from '../en/alerts.tsx';

export const alerts: typeof en = {
  title: 'Alertes',
  tabs: { alerts: 'Alertes', rules: 'Règles', email: 'E-mail', chat: 'Messagerie' },
  severity: { info: 'information', warning: 'avertissement', critical: 'critique' },
  notice: {
    nobody: "Personne n'est averti",
    noChannel: "Aucun canal n'est actif. Les alertes sont enregistrées ici. Ajoutez un canal d'e-mail ou un webhook entrant.",
    failing: "Les messages n'arrivent pas",
    answer: (channel: string, said: ReactNode) => (
      <>
        <b>{channel}</b> : {said}
      </>
    ),
  },
  history: {
    description:
      "Ce que les règles ont trouvé, et ce qui a été envoyé où. Une alerte se termine d'elle-même quand sa cause a disparu.",
    empty: "Aucune règle n'a rien trouvé. « Règles » montre ce que chacune cherche, « E-mail » et « Messagerie » qui est averti.",
    filters: {
      state: 'État',
      rule: 'Règle',
      owner: 'Partenaire',
      subject: 'Objet',
      subjectExample: "id d'un endpoint, compte ou jeton",
    },
    state: {
      open: 'non terminée',
      unhandled: 'ouverte',
      acknowledged: 'prise en charge',
      snoozed: 'en veille',
      resolved: 'terminée',
    },
    columns: { what: 'Quoi', severity: 'Gravité', which: 'Détail', state: 'État', since: 'Depuis', sent: 'Envoi' },
    facts: {
      cause: 'Cause',
      rule: 'Règle',
      told: 'Qui est averti',
      partner: 'Partenaire',
      severity: 'Gravité',
      state: 'État',
      about: 'Objet',
      since: 'Depuis',
      handled: "Qui s'en occupe",
      handed: 'Remise aux canaux',
      over: 'Fin',
      ending: 'Ce qui y a mis fin',
    },
    showCause: 'Afficher',
    toNobody: 'à personne',
    toPartner: (name: string, id: string) => `À ${name} (${id})`,
    until: (at) => <>jusqu'à {at}</>,
    ofPartner: (name: string, id: string) => `Endpoint de ${name} (${id})`,
    gateway: 'la passerelle',
    notYetHanded: 'pas encore',
    notOver: 'non',
    nobody: 'personne pour le moment',
  },
  handling: {
    handle: 'Traiter',
    acknowledge: 'Prendre en charge',
    notAcknowledged: 'Ne plus prendre en charge',
    snooze: 'Mettre en veille pour',
    hours: (hours) => `${hours} h`,
    endSnooze: 'Mettre fin à la veille',
    assign: 'Attribuer à',
    nobody: 'personne',
    changed: 'Le changement est enregistré.',
    has: (names) => (names.length === 1 ? `${names[0]} s'en occupe` : `${names.join(', ')} s'en occupent`),
    acknowledgedAt: (at, some, all) =>
      some === all ? <>prise en charge depuis {at}</> : `prises en charge : ${count(some)} sur ${count(all)}`,
    snoozedUntil: (at) => <>en veille jusqu'à {at}</>,
  },
  messages: {
    title: 'Messages',
    none: "Personne n'a été averti : aucun canal n'accepte cette alerte, ou la même alerte a été envoyée pendant son délai de silence.",
    columns: { channel: 'Canal', tells: 'Annonce', state: 'État', answer: 'Réponse du serveur', when: 'Quand' },
    removedChannel: 'supprimé',
    tells: { opened: 'le début', resolved: 'la fin' },
  },
  own: {
    own_endpoint_held: "L'endpoint d'un partenaire est retenu",
    own_endpoint_disabled: "L'endpoint d'un partenaire est désactivé",
    own_token_expires: 'Un jeton expire',
    own_key_expires: 'Une clé API prend fin',
    own_secret_expires: 'Un secret de signature prend fin sans confirmation',
  },
  rules: {
    active: 'active',
    notActive: 'inactive',
    description: 'Chaque règle est vérifiée toutes les 10 s. Ouvrez-en une pour changer ses seuils, sa gravité et ses canaux.',
    columns: { rule: 'Règle', state: 'État', severity: 'Gravité', opens: "S'ouvre quand", channels: 'Canaux' },
    facts: {
      state: 'État',
      severity: 'Gravité',
      opens: "S'ouvre quand",
      over: 'Se termine quand',
      quiet: 'Délai de silence',
      channels: 'Canaux',
      name: "Nom dans l'API",
    },
    fields: {
      enabled: 'Activée',
      threshold: (unit: string) => `Seuil (${unit})`,
      period: 'Période (minutes)',
      quiet: 'Délai de silence (minutes)',
      quietHelp: "La même alerte n'est pas renvoyée pendant ce délai.",
      severity: 'Gravité',
      channels: 'Canaux',
      noChannel: "Il n'y a pas encore de canal.",
      channelsHelp: 'Aucun choisi : tous les canaux qui acceptent la gravité.',
    },
    bySeverity: 'selon la gravité',
    noChannels: 'aucun',
    edit: 'Modifier',
    reset: 'Rétablir les valeurs par défaut',
    changed: 'La règle a été modifiée.',
    off: 'La règle est désactivée.',
    isReset: 'La règle a retrouvé ses valeurs par défaut.',
  },
  rule: {
    endpoint_failing: {
      title: 'Un endpoint échoue',
      opens: (threshold: number, period: number) =>
        `Au moins ${count(threshold)} % des tentatives vers un endpoint ont échoué en ${count(period)} min, sur trois tentatives ou plus. Les tests en échec ne comptent pas.`,
      resolves: "Une tentative réussit et le taux est plus bas ; ou l'endpoint est inactif ou supprimé.",
    },
    endpoint_held: {
      title: 'Un endpoint ne reçoit rien',
      opens: (_: number, period: number) =>
        `Le circuit d'un endpoint est ouvert et rien n'a réussi depuis ${count(period)} min, ou la passerelle l'a désactivé.`,
      resolves: "Une tentative réussit, ou l'endpoint est activé, mis en pause par un opérateur ou supprimé.",
    },
    dead_letters: {
      title: 'Livraisons en échec définitif',
      opens: (threshold: number, period: number) =>
        `Au moins ${plural(threshold, 'livraison', 'livraisons')} vers un endpoint en échec définitif en ${count(period)} min, ou une seule qui bloque les suivantes.`,
      resolves:
        "L'endpoint n'en a plus : toutes ont été renvoyées, passées, ou supprimées à la fin de leur conservation ; ou il est supprimé.",
    },
    limit_refusals: {
      title: 'Une limite refuse un partenaire',
      opens: (threshold: number, period: number) =>
        `Au moins ${plural(threshold, 'appel', 'appels')} d'un compte ou d'un jeton avec refus 429 en ${count(period)} min.`,
      resolves: 'Il y en a moins sur la dernière période.',
    },
    ledger_unbalanced: {
      title: "Le bilan n'est pas équilibré",
      opens: (threshold: number, period: number) =>
        `Au moins ${plural(threshold, 'événement, livraison ou tentative', 'événements, livraisons ou tentatives')} en moins ou en trop depuis ${count(period)} min.`,
      resolves: "L'audit en trouve moins.",
    },
    calls_not_recorded: {
      title: 'Appels non enregistrés',
      opens: (threshold: number, period: number) =>
        `Au moins ${plural(threshold, 'appel servi mais non enregistré', 'appels servis mais non enregistrés')} en ${count(period)} min.`,
      resolves: 'Il y en a moins sur la dernière période.',
    },
    disk_space: {
      title: 'Le disque est presque plein',
      opens: (threshold: number, period: number) =>
        `Moins de ${count(threshold)} Mo libres sur le disque de DATA_DIR depuis ${count(period)} min. Niveau embarqué seulement.`,
      resolves: 'Cet espace est de nouveau libre.',
    },
    queue_down: {
      title: "La file d'attente ne répond pas",
      opens: (_: number, period: number) =>
        `La file d'attente n'a pas répondu depuis ${count(period)} min : les livraisons attendent dans la base.`,
      resolves: 'Elle répond.',
    },
    store_down: {
      title: 'La base ne répond pas',
      opens: (_: number, period: number) =>
        `La base n'a pas répondu, ou a refusé les écritures, depuis ${count(period)} min : les appels reçoivent 503.`,
      resolves: 'Elle accepte les écritures.',
    },
  },
  says: {
    endpoint: (description: string, host: string) => `« ${description} » à ${host}`,
    caller: (name: string, id: string) => `« ${name} » (${id})`,
    endpoint_failing: (endpoint: string, failed: number, attempts: number, minutes: number, id: string) =>
      `${endpoint} : ${count(failed)} sur ${plural(attempts, 'tentative', 'tentatives')} en échec en ${count(minutes)} min. (${id})`,
    endpoint_held: (endpoint: string, holds: number, id: string) =>
      `${endpoint} : son circuit s'est ouvert ${count(holds)} fois de suite, et ses livraisons attendent. Aucune n'est perdue. (${id})`,
    endpoint_gone: (endpoint: string, id: string) =>
      `${endpoint} : son récepteur a répondu 410 Gone, la passerelle l'a donc désactivé. Les livraisons ne sont pas envoyées tant qu'il n'est pas réactivé. (${id})`,
    endpoint_disabled: (endpoint: string, id: string) =>
      `${endpoint} : il n'a fait qu'échouer pendant des jours, la passerelle l'a donc désactivé. Les livraisons ne sont pas envoyées tant qu'il n'est pas réactivé. (${id})`,
    dead_letters: (endpoint: string, deliveries: number, minutes: number, id: string) =>
      `${endpoint} : ${plural(deliveries, 'livraison', 'livraisons')} en échec définitif en ${count(minutes)} min. À renvoyer quand son récepteur fonctionne. (${id})`,
    limit_refusals: (caller: string, calls: number, minutes: number) =>
      `${caller} : ${plural(calls, 'appel refusé', 'appels refusés')} avec 429 en ${count(minutes)} min.`,
    ledger_unbalanced: (missing: number, surplus: number) =>
      `Le bilan n'est pas équilibré : ${plural(missing, 'ligne manque', 'lignes manquent')}, ${count(surplus)} en trop.`,
    calls_not_recorded: (calls: number, minutes: number) =>
      `${plural(calls, 'appel servi mais non enregistré', 'appels servis mais non enregistrés')} en ${count(minutes)} min.`,
    disk_space: (megabytes: number) =>
      `Il reste ${count(megabytes)} Mo sur le disque de la base. Les écritures sont refusées quand il reste 32 Mo.`,
    disabledBecause: {
      gone: 'son récepteur a répondu 410 Gone',
      failing: "il n'a fait qu'échouer pendant des jours",
      operator: "un opérateur l'a désactivé",
    },
    own_endpoint_held: (endpoint, id) => `${endpoint} : ses livraisons attendent. Aucune n'est perdue. (${id})`,
    own_endpoint_disabled: (endpoint, because, id) => `${endpoint} : rien ne lui est envoyé : ${because}. (${id})`,
    own_token_expires: (name, token, at) => `Le jeton d'accès « ${name} » (${token}) expire à ${at}.`,
    own_key_expires: (key, at) => `La clé API ${key}, qui a été remplacée, prend fin à ${at}.`,
    own_secret_expires: (endpoint, at, id) =>
      `${endpoint} : son nouveau secret de signature n'est pas confirmé, et l'ancien prend fin à ${at}. (${id})`,
    consumer_lags: (consumer, owner, at) =>
      `Le consommateur « ${consumer} » de ${owner} n'a pas confirmé un événement de ${at}. Les événements trop anciens sont supprimés.`,
    proxy_failing: (status) =>
      `Le proxy des webhooks ${status === 0 ? 'ne répond pas' : `répond ${status}`}. Toutes les livraisons attendent, et aucun récepteur n'est mis en cause.`,
    deliveries_late: (late, attempts, hours) =>
      `${count(late)} des ${count(attempts)} premières tentatives ${hours === 1 ? 'de la dernière heure' : `des ${hours} dernières heures`} ont commencé avec plus de 5 s de retard par la faute de la passerelle, pour 0,1 % au plus. Ajoutez un processus, ou cherchez ce qui la ralentit.`,
    queue_down: "La file d'attente ne répond pas. Les appels sont servis ; les livraisons attendent dans la base.",
    store_down: 'La base ne répond pas, ou refuse les écritures. Les appels reçoivent 503.',
  },
  ended: {
    ruleOff: (message) => `La règle a été désactivée. ${message}`,
    stopped: (cause, id) => `${cause} (${id})`,
    answers: (endpoint, waiting, id) => `${endpoint} répond de nouveau.${waiting && ` ${waiting}.`} (${id})`,
    fails: (endpoint, id) => `${endpoint} échoue moins souvent que la règle ne le permet. (${id})`,
    activated: (endpoint, id) => `${endpoint} est de nouveau actif, et ses livraisons sont tentées. (${id})`,
    dead_letters: (endpoint, id) =>
      `${endpoint} n'a plus d'échec définitif : toutes ces livraisons ont été renvoyées, passées, ou supprimées à la fin de leur conservation. (${id})`,
    limit_refusals: (caller, minutes) =>
      `${caller} : moins d'appels que le seuil de la règle ont été refusés avec 429 en ${count(minutes)} min.`,
    ledger_unbalanced: 'Le bilan est de nouveau équilibré : les lignes manquantes ou en trop sont sous le seuil de la règle.',
    calls_not_recorded: (minutes) =>
      `Moins d'appels que le seuil de la règle n'ont pas été enregistrés en ${count(minutes)} min.`,
    disk_space: 'Le disque de la base a de nouveau assez de place.',
    consumer_lags: (consumer, owner) => `Le consommateur « ${consumer} » de ${owner} n'est plus en retard, ou a été supprimé.`,
    proxy_failing: 'Les webhooks passent de nouveau par le proxy.',
    deliveries_late: 'Les premières tentatives commencent de nouveau à temps.',
    queue_down: "La file d'attente répond de nouveau.",
    store_down: 'La base répond de nouveau.',
  },
  unit: { deliveries: 'livraisons', calls: 'appels', rows: 'lignes', MB: 'Mo' },
  channels: {
    email: {
      title: 'E-mail',
      description:
        "Les alertes partent par votre serveur de messagerie, en SMTP. Le mot de passe est chiffré et n'est jamais affiché.",
    },
    slack: {
      title: 'Messagerie',
      description: 'Les alertes sont envoyées à un webhook entrant de Slack, ou de Mattermost, qui accepte le même format.',
    },
    empty: "Les alertes sont enregistrées, et personne n'est averti ici.",
    columns: { name: 'Nom', server: 'Serveur', severity: 'Gravité minimale', works: 'Fonctionne' },
    facts: {
      works: 'Fonctionne',
      answer: 'Dernière réponse du serveur',
      server: 'Serveur',
      to: 'Destinataires',
      from: 'Expéditeur',
      forPartners: 'Alertes des partenaires',
      username: "Nom d'utilisateur",
      severity: 'Gravité minimale',
      night: 'Nuit',
    },
    noAnswer: 'aucune pour le moment',
    noUsername: 'aucun',
    noNight: 'aucune',
    servesPartners: 'envoyées',
    servesNoPartners: 'non',
    night: (from: string, to: string, zone: string) => `de ${from} à ${to} ${zone}`,
    failsSince: (time: ReactNode) => <>en échec depuis {time}</>,
    sentAt: (time: ReactNode) => <>dernier envoi : {time}</>,
    nothingSent: 'rien envoyé pour le moment',
    fields: {
      severity: 'Gravité minimale',
      severityHelp: 'Le canal reçoit les alertes de cette gravité et au-dessus, sauf si une règle nomme ses canaux.',
      nightFrom: 'Début de la nuit',
      nightHelp: 'La nuit, seules les alertes critiques sont envoyées. Les autres attendent. Vide : pas de nuit.',
      nightTo: 'Fin de la nuit',
      nightZone: 'Fuseau horaire de la nuit',
      name: 'Nom',
      emailNameExample: "Équipe d'astreinte",
      slackNameExample: '#exploitation',
      to: 'Destinataires',
      toHelp: 'Adresses séparées par des virgules.',
      from: 'Expéditeur',
      forPartners: 'Envoie aussi les alertes des partenaires',
      forPartnersHelp: 'Son serveur, sa connexion et son expéditeur. Un seul canal : il prend la place du précédent.',
      host: 'Serveur de messagerie',
      port: 'Port',
      security: 'Chiffrement',
      securityHelp: 'starttls est habituel pour le port 587, tls pour le 465. « aucun » envoie en clair.',
      noSecurity: 'aucun',
      username: "Nom d'utilisateur",
      password: 'Mot de passe',
      keepSecret: 'Vide : celui qui est enregistré reste.',
      noPassword: 'Vide : sans authentification.',
      url: "L'URL du webhook entrant",
      urlHelp: "Quiconque la connaît peut publier : elle n'est plus jamais affichée.",
    },
    create: 'Nouveau canal',
    created: (name: string) => `${name} a été créé. Ouvrez-le pour envoyer un test.`,
    test: 'Envoyer un test',
    accepted: 'Le test a été accepté.',
    refused: "Le test n'a pas été accepté.",
    edit: 'Modifier',
    changed: (name: string) => `${name} a été modifié.`,
    replaces: (name: string) => `${name} n'envoie plus les alertes des partenaires.`,
    remove: 'Supprimer',
    removal: [
      "Plus aucune alerte n'y est envoyée.",
      'Les règles qui le nomment ne le nomment plus.',
      'Son mot de passe ou son URL est effacé.',
    ],
    removed: (name: string) => `${name} a été supprimé.`,
  },
};
