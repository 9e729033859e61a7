import { type Cause, type CauseWords, sayCause } from '../../base/causes/cause.ts';
import { causesEn } from '../../base/causes/en.ts';
import { causesFr } from '../../base/causes/fr.ts';
import { lasted, utc } from '../../base/words.ts';
import { englishSpeech, noValues } from '../../figures/cause.ts';
import type { AlertLanguage, AlertValues, PartnerAlertName } from '../../store/tables/alerts.ts';
import { nameOf } from '../cases.ts';
import { compose, digest, type Message, oneLine, type Told } from '../texts.ts';
import type { Reached } from './recipients.ts';
import { partnerRules } from './rules.ts';

type Values = { [C in PartnerAlertName]: AlertValues[C] };
type OfEndpoint = Values['own_endpoint_held'];

/** What began. The values of a case; times are readable. */
type Opened = { [C in PartnerAlertName]: (values: Values[C], cause?: Cause) => string };

const endpointFr = ({ description, host }: OfEndpoint) => (description === '' ? host : `« ${description} » sur ${host}`);

const en = {
  opened: {
    own_endpoint_held: (of, cause) =>
      `${why('en', `your endpoint ${nameOf(of)}`, cause)} Its deliveries wait. None is lost: they go on when it works again.`,
    own_endpoint_disabled: ({ because, ...of }) => {
      const endpoint = nameOf(of);
      if (because === 'operator')
        return `The operator of the gateway disabled your endpoint ${endpoint}. Nothing is sent to it. Ask the operator why.`;
      const why = because === 'gone' ? 'answered 410 Gone' : 'has only failed for days';
      return `Your endpoint ${endpoint} ${why}, so it was disabled and nothing is sent to it. When it works again, resume it and retry what is owed.`;
    },
    own_deliveries_blocked: (of, cause) =>
      `${why('en', `your endpoint ${nameOf(of)}`, cause)} Mend your receiver before you resend.`,
    own_token_expires: ({ name, at }) =>
      `Your access token “${name}” expires at ${at}. Create another one for the program that uses it.`,
    own_key_expires: ({ key, at }) =>
      `Your API key ${key} was replaced and ends at ${at}. Programs that still use it are refused from then on.`,
    own_secret_expires: ({ at, ...of }) =>
      `The new signing secret of your endpoint ${nameOf(of)} is not confirmed. At ${at} the old one stops signing: give the new one to your receiver, then confirm it.`,
    source_address_changes: ({ address, change, at }) =>
      change === 'begins'
        ? `From ${at} on, webhooks may also come from ${address}. If a firewall of yours lets only known addresses in, add it before.`
        : `From ${at} on, no webhook comes from ${address}. Then remove it from what your firewall lets in.`,
  } satisfies Opened,
  over: (of: OfEndpoint, since: string, afterMs: number) =>
    `Your endpoint ${nameOf(of)} receives again since ${since}, after ${lasted(afterMs)}.`,
  since: (time: string) => `Since ${time}.`,
  many: (count: number) => `${count} messages about your webhooks and credentials`,
  more: (count: number) => `${count} more are on the page “Alerts” of your profile.`,
  footer: (name: string) =>
    `You get this because alerts are on in the profile of ${name}. On its page “Alerts” you choose what is sent where, or turn it off.`,
  test: (name: string, time: string) => `This is a test of the alerts of ${name}, sent at ${time}. Nothing is wrong.`,
  testSubject: 'Test of your alerts',
  confirm: (name: string, code: string, time: string) =>
    `The code is ${code}. Enter it on the page “Alerts” of the profile of ${name}, so that alerts are sent to this address. It can be used once, until ${time}.`,
  confirmSubject: 'Confirm this address',
  confirmFooter: 'If you do not know what this is about, ignore it: nothing more is sent to this address.',
};

const fr: typeof en = {
  opened: {
    own_endpoint_held: (of, cause) =>
      `${why('fr', `votre endpoint ${endpointFr(of)}`, cause)} Ses livraisons attendent. Aucune n'est perdue : elles reprennent dès qu'il fonctionne.`,
    own_endpoint_disabled: ({ because, ...of }) => {
      const endpoint = endpointFr(of);
      if (because === 'operator')
        return `L'opérateur de la passerelle a désactivé votre endpoint ${endpoint}. Rien ne lui est envoyé. Demandez-lui pourquoi.`;
      const why = because === 'gone' ? 'a répondu 410 Gone' : "n'a fait qu'échouer pendant des jours";
      return `Votre endpoint ${endpoint} ${why} : il a été désactivé et rien ne lui est envoyé. Quand il fonctionne de nouveau, ouvrez sa page, cliquez sur « Reprendre », puis relancez ce qui est dû.`;
    },
    own_deliveries_blocked: (of, cause) =>
      `${why('fr', `votre endpoint ${endpointFr(of)}`, cause)} Réparez votre récepteur avant de renvoyer.`,
    own_token_expires: ({ name, at }) =>
      `Votre jeton d'accès « ${name} » expire à ${at}. Créez-en un autre pour le programme qui l'utilise.`,
    own_key_expires: ({ key, at }) =>
      `Votre clé d'API ${key} a été remplacée et prend fin à ${at}. Les programmes qui l'utilisent encore seront alors refusés.`,
    own_secret_expires: ({ at, ...of }) =>
      `Le nouveau secret de signature de votre endpoint ${endpointFr(of)} n'est pas confirmé. À ${at}, l'ancien cesse de signer : donnez le nouveau à votre récepteur, puis confirmez-le.`,
    source_address_changes: ({ address, change, at }) =>
      change === 'begins'
        ? `À partir du ${at}, des webhooks peuvent aussi venir de ${address}. Si votre pare-feu n'admet que des adresses connues, ajoutez-la avant.`
        : `À partir du ${at}, plus aucun webhook ne vient de ${address}. Retirez-la alors de ce que votre pare-feu admet.`,
  },
  over: (of, since, afterMs) =>
    `Votre endpoint ${endpointFr(of)} reçoit de nouveau depuis ${since}, après ${lasted(afterMs, 'jours')}.`,
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

const texts: Record<AlertLanguage, typeof en> = { en, fr };
const causeWords: Record<AlertLanguage, CauseWords> = { en: causesEn, fr: causesFr };

/** What is said where no cause was found. */
const unknownCause: Cause = { case: 'failing', values: { ...noValues, mixed: true } };

function why(language: AlertLanguage, subject: string, cause: Cause = unknownCause): string {
  const said = sayCause(causeWords[language], englishSpeech, cause, subject);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export function partnerText({ kind, alert }: Told, language: AlertLanguage): string {
  const { detail, opened_at, resolved_at } = alert;
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

type Named = Pick<Reached, 'name' | 'language'>;

/**
 * Returns one message with all alerts that are sent to an address at the same time. `url` is the profile's; null if the gateway's
 * address is not known.
 */
export function partnerMessage(all: readonly Told[], { name, language }: Named, url: string | null): Message {
  const words = texts[language];
  const lines = all.map((told) => {
    const { rule, subject, opened_at, resolved_at } = told.alert;
    const title = partnerText(told, language);
    const isOpen = resolved_at === null && told.kind === 'opened';
    const text = isOpen ? `${title} ${words.since(utc(opened_at))}` : title;
    return { title, text, page: partnerRules[rule as PartnerAlertName].page ?? `/endpoints/${subject}` };
  });
  const footer = words.footer(oneLine(name));
  return digest(lines, {
    many: words.many(all.length),
    more: words.more,
    footer: url === null ? footer : `${footer}\n${url}/alerts`,
    url,
  });
}

export function partnerTest({ name, language }: Named, now: number, url: string | null): Message {
  const words = texts[language];
  const text = words.test(oneLine(name), utc(now));
  return compose(words.testSubject, [{ text, page: '/alerts' }], { footer: words.footer(oneLine(name)), url });
}

/** The message with which the owner of an address shows that it wants alerts. */
export function confirmation({ name, language }: Named, code: string, expiresAt: number, url: string | null): Message {
  const words = texts[language];
  const text = words.confirm(oneLine(name), code, utc(expiresAt));
  return compose(words.confirmSubject, [{ text, page: '/alerts' }], { footer: words.confirmFooter, url });
}
