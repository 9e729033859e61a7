import { type Cause, type CauseWords, sayCause } from '../../base/causes/cause.ts';
import { causesEn } from '../../base/causes/en.ts';
import { causesFr } from '../../base/causes/fr.ts';
import { lasted, utc } from '../../base/words.ts';
import { englishSpeech, noValues } from '../../figures/cause.ts';
import type { AlertLanguage, AlertValues, PartnerAlertName } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';
import { type Message, maxLines, oneLine, subjectOf, type Told } from '../texts.ts';
import type { Reached } from './recipients.ts';

type Values = { [C in PartnerAlertName]: AlertValues[C] };
type OfEndpoint = Values['own_endpoint_held'];

interface Texts {
  endpoint(of: OfEndpoint): string;
  /** What began. The values of a case; times are readable. */
  opened: { [C in PartnerAlertName]: (values: Values[C], cause?: Cause) => string };
  /** That an endpoint receives again. */
  over: (of: OfEndpoint, since: string, afterMs: number) => string;
  since(time: string): string;
  many(count: number): string;
  more(count: number): string;
  footer(name: string): string;
  test(name: string, time: string): string;
  testSubject: string;
  confirm(name: string, code: string, time: string): string;
  confirmSubject: string;
  confirmFooter: string;
}

const en: Texts = {
  endpoint: ({ description, host }) => (description === '' ? host : `“${description}” at ${host}`),
  opened: {
    own_endpoint_held: (of, cause) =>
      `${why('en', `Your endpoint ${en.endpoint(of)}`, cause)} Its deliveries wait. None is lost: they go on when it works again.`,
    own_endpoint_disabled: ({ because, ...of }) => {
      const endpoint = en.endpoint(of);
      if (because === 'operator')
        return `The operator of the gateway disabled your endpoint ${endpoint}. Nothing is sent to it. Ask the operator why.`;
      const why = because === 'gone' ? 'answered 410 Gone' : 'has only failed for days';
      return `Your endpoint ${endpoint} ${why}, so it was disabled and nothing is sent to it. When it works again, resume it and retry what is owed.`;
    },
    own_token_expires: ({ name, at }) =>
      `Your access token “${name}” expires at ${at}. Create another one for the program that uses it.`,
    own_key_expires: ({ key, at }) =>
      `Your API key ${key} was replaced and ends at ${at}. Programs that still use it are refused from then on.`,
    own_secret_expires: ({ at, ...of }) =>
      `The new signing secret of your endpoint ${en.endpoint(of)} is not confirmed. At ${at} the old one stops signing: give the new one to your receiver, then confirm it.`,
  },
  over: (of, since, afterMs) => `Your endpoint ${en.endpoint(of)} receives again since ${since}, after ${lasted(afterMs)}.`,
  since: (time) => `Since ${time}.`,
  many: (count) => `${count} messages about your webhooks and credentials`,
  more: (count) => `${count} more are on the page “Alerts” of your profile.`,
  footer: (name) =>
    `You get this because alerts are on in the profile of ${name}. On its page “Alerts” you choose what is sent where, or turn it off.`,
  test: (name, time) => `This is a test of the alerts of ${name}, sent at ${time}. Nothing is wrong.`,
  testSubject: 'Test of your alerts',
  confirm: (name, code, time) =>
    `The code is ${code}. Enter it on the page “Alerts” of the profile of ${name}, so that alerts are sent to this address. It can be used once, until ${time}.`,
  confirmSubject: 'Confirm this address',
  confirmFooter: 'If you do not know what this is about, ignore it: nothing more is sent to this address.',
};

const fr: Texts = {
  endpoint: ({ description, host }) => (description === '' ? host : `« ${description} » sur ${host}`),
  opened: {
    own_endpoint_held: (of, cause) =>
      `${why('fr', `Votre endpoint ${fr.endpoint(of)}`, cause)} Ses livraisons attendent. Aucune n'est perdue : elles reprennent dès qu'il fonctionne.`,
    own_endpoint_disabled: ({ because, ...of }) => {
      const endpoint = fr.endpoint(of);
      if (because === 'operator')
        return `L'opérateur de la passerelle a désactivé votre endpoint ${endpoint}. Rien ne lui est envoyé. Demandez-lui pourquoi.`;
      const why = because === 'gone' ? 'a répondu 410 Gone' : "n'a fait qu'échouer pendant des jours";
      return `Votre endpoint ${endpoint} ${why} : il a été désactivé et rien ne lui est envoyé. Quand il fonctionne de nouveau, ouvrez sa page, cliquez sur « Reprendre », puis relancez ce qui est dû.`;
    },
    own_token_expires: ({ name, at }) =>
      `Votre jeton d'accès « ${name} » expire à ${at}. Créez-en un autre pour le programme qui l'utilise.`,
    own_key_expires: ({ key, at }) =>
      `Votre clé d'API ${key} a été remplacée et prend fin à ${at}. Les programmes qui l'utilisent encore seront alors refusés.`,
    own_secret_expires: ({ at, ...of }) =>
      `Le nouveau secret de signature de votre endpoint ${fr.endpoint(of)} n'est pas confirmé. À ${at}, l'ancien cesse de signer : donnez le nouveau à votre récepteur, puis confirmez-le.`,
  },
  over: (of, since, afterMs) =>
    `Votre endpoint ${fr.endpoint(of)} reçoit de nouveau depuis ${since}, après ${lasted(afterMs, 'jours')}.`,
  since: (time) => `Depuis ${time}.`,
  many: (count) => `${count} messages sur vos webhooks et vos accès`,
  more: (count) => `${count} autres se trouvent sur la page « Alertes » de votre profil.`,
  footer: (name) =>
    `Vous recevez ce message parce que les alertes sont activées dans le profil de ${name}. Sa page « Alertes » permet de choisir ce qui est envoyé et où, ou de tout arrêter.`,
  test: (name, time) => `Ceci est un essai des alertes de ${name}, envoyé à ${time}. Tout va bien.`,
  testSubject: 'Essai de vos alertes',
  confirm: (name, code, time) =>
    `Le code est ${code}. Saisissez-le sur la page « Alertes » du profil de ${name} pour que les alertes soient envoyées à cette adresse. Il sert une seule fois, jusqu'à ${time}.`,
  confirmSubject: 'Confirmez cette adresse',
  confirmFooter: "Si vous ne savez pas de quoi il s'agit, ignorez ce message : rien d'autre ne sera envoyé à cette adresse.",
};

const texts: Record<AlertLanguage, Texts> = { en, fr };
const causeWords: Record<AlertLanguage, CauseWords> = { en: causesEn, fr: causesFr };

/** Alerts of earlier versions have no cause. */
const unknownCause: Cause = { case: 'failing', values: { ...noValues, mixed: true } };

function why(language: AlertLanguage, subject: string, cause: Cause = unknownCause): string {
  return sayCause(causeWords[language], englishSpeech, cause, subject);
}

/** What an alert says to its partner, in one line. Null for an alert of the operator. */
export function partnerText({ kind, alert }: Told, language: AlertLanguage): string | null {
  const { owner, detail, opened_at, resolved_at } = alert;
  if (owner === null || detail === null) return null;
  const words = texts[language];
  if (kind === 'resolved') {
    const over = resolved_at ?? opened_at;
    return oneLine(words.over(detail.values as OfEndpoint, utc(over), over - opened_at));
  }
  const { at, ...values } = detail.values as { at?: string };
  const readable = at === undefined ? values : { ...values, at: utc(Date.parse(at)) };
  const says = words.opened[detail.case as PartnerAlertName];
  return oneLine((says as (values: unknown, cause?: Cause) => string)(readable, detail.cause));
}

/** The page of the profile that is about an alert. */
const pages: { [C in PartnerAlertName]: (subject: string) => string } = {
  own_endpoint_held: (id) => `/endpoints/${id}`,
  own_endpoint_disabled: (id) => `/endpoints/${id}`,
  own_token_expires: () => '/tokens',
  own_key_expires: () => '/keys',
  own_secret_expires: (id) => `/endpoints/${id}`,
};

export const partnerPage = ({ rule, subject }: Pick<Row<'alerts'>, 'rule' | 'subject'>): string =>
  pages[rule as PartnerAlertName](subject);

type Named = Pick<Reached, 'name' | 'language'>;

/** One message for all that an address is told at once. `profileUrl` is null if the gateway's address is not known. */
export function partnerMessage(all: readonly Told[], { name, language }: Named, profileUrl: string | null): Message {
  const words = texts[language];
  const linkTo = (page: string) => (profileUrl === null ? null : `${profileUrl}${page}`);
  const said = all.flatMap((one) => ({ one, text: partnerText(one, language) ?? '' }));
  const lines = said.slice(0, maxLines).map(({ one, text }) => ({
    text: one.alert.resolved_at === null && one.kind === 'opened' ? `${text} ${words.since(utc(one.alert.opened_at))}` : text,
    link: linkTo(partnerPage(one.alert)),
  }));
  const left = all.length - lines.length;
  if (left > 0) lines.push({ text: words.more(left), link: linkTo('/alerts') });
  const [first] = said;
  return {
    subject: subjectOf(all.length === 1 && first ? first.text : words.many(all.length)),
    lines,
    footer: footerOf(words.footer(oneLine(name)), linkTo('/alerts')),
  };
}

/** The message that “Send a test” sends. */
export function partnerTest({ name, language }: Named, now: number, profileUrl: string | null): Message {
  const words = texts[language];
  const link = profileUrl === null ? null : `${profileUrl}/alerts`;
  const line = { text: words.test(oneLine(name), utc(now)), link };
  return { subject: subjectOf(words.testSubject), lines: [line], footer: words.footer(oneLine(name)) };
}

/** The message with which the owner of an address shows that it wants alerts. */
export function confirmation({ name, language }: Named, code: string, expiresAt: number, profileUrl: string | null): Message {
  const words = texts[language];
  const link = profileUrl === null ? null : `${profileUrl}/alerts`;
  const line = { text: words.confirm(oneLine(name), code, utc(expiresAt)), link };
  return { subject: subjectOf(words.confirmSubject), lines: [line], footer: words.confirmFooter };
}

const footerOf = (text: string, link: string | null) => (link === null ? text : `${text}\n${link}`);

/** ISO 8601 in UTC. */
export const toIso = (atMs: number): string => new Date(atMs).toISOString();
