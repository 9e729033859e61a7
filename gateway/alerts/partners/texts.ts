import { type Cause, type CauseWords, sayCause } from '../../base/causes/cause.ts';
import { causesEn } from '../../base/causes/en.ts';
import { causesFr } from '../../base/causes/fr.ts';
import { lasted, utc } from '../../base/words.ts';
import { englishSpeech, noValues } from '../../figures/cause.ts';
import type { AlertDetail, AlertEnding, AlertLanguage, AlertValues } from '../../store/tables/alerts.ts';
import { nameOf } from '../cases.ts';
import { compose, digest, type Message, oneLine, type Told } from '../texts.ts';
import type { Recipient } from './addresses.ts';

type OfEndpoint = AlertValues['endpoint_failing'];
/** The cases that a partner can be told of. */
type OwnDetail = Extract<AlertDetail, { case: 'endpoint_failing' | 'endpoint_disabled' | 'dead_letters' }>;

const en = {
  endpoint: (of: OfEndpoint) => `your endpoint ${nameOf(of)}`,
  endpoint_failing: 'Its deliveries wait. None is lost: they go on when it works again.',
  endpoint_disabled: {
    gone: 'answered 410 Gone, so it was disabled and nothing is sent to it. When it works again, resume it and retry what is owed.',
    failing:
      'has only failed for days, so it was disabled and nothing is sent to it. When it works again, resume it and retry what is owed.',
    operator: 'was disabled by the operator of the gateway. Nothing is sent to it. Ask the operator why.',
  },
  dead_letters: 'Deliveries failed for good. Mend your receiver before you resend.',
  over: {
    answers: 'receives again',
    cleared: 'is active again',
    stopped: 'was paused, disabled or deleted, and is no longer sent anything',
  } satisfies Record<AlertEnding['case'], string>,
  noDeadLetter: 'has no delivery left that failed for good',
  since: (time: string) => `Since ${time}.`,
  at: (time: string, after: string) => `since ${time}, after ${after}.`,
  many: (count: number) => `${count} messages about your endpoints`,
  more: (count: number) => `${count} more are on the page “Alerts” of your profile.`,
  footer: (name: string) =>
    `You get this because ${name} has confirmed this address on the page “Alerts” of its profile. There it can be removed.`,
  confirm: (name: string, code: string, time: string) =>
    `The code is ${code}. Enter it on the page “Alerts” of the profile of ${name}, so that alerts are sent to this address. It can be used once, until ${time}.`,
  confirmSubject: 'Confirm this address',
  confirmFooter: 'If you do not know what this is about, ignore it: nothing more is sent to this address.',
};

const fr: typeof en = {
  endpoint: ({ description, host }) => `votre endpoint ${description === '' ? host : `« ${description} » sur ${host}`}`,
  endpoint_failing: "Ses livraisons attendent. Aucune n'est perdue : elles reprennent dès qu'il fonctionne.",
  endpoint_disabled: {
    gone: 'a répondu 410 Gone : il a été désactivé et rien ne lui est envoyé. Quand il fonctionne de nouveau, ouvrez sa page, cliquez sur « Reprendre », puis relancez ce qui est dû.',
    failing:
      "n'a fait qu'échouer pendant des jours : il a été désactivé et rien ne lui est envoyé. Quand il fonctionne de nouveau, ouvrez sa page, cliquez sur « Reprendre », puis relancez ce qui est dû.",
    operator: "a été désactivé par l'opérateur de la passerelle. Rien ne lui est envoyé. Demandez-lui pourquoi.",
  },
  dead_letters: 'Des livraisons sont en échec définitif. Réparez votre récepteur avant de renvoyer.',
  over: {
    answers: 'reçoit de nouveau',
    cleared: 'est de nouveau actif',
    stopped: 'a été mis en pause, désactivé ou supprimé, et ne reçoit plus rien',
  },
  noDeadLetter: "n'a plus de livraison en échec définitif",
  since: (time) => `Depuis ${time}.`,
  at: (time, after) => `depuis ${time}, après ${after}.`,
  many: (count) => `${count} messages sur vos endpoints`,
  more: (count) => `${count} autres se trouvent sur la page « Alertes » de votre profil.`,
  footer: (name) =>
    `Vous recevez ce message parce que ${name} a confirmé cette adresse sur la page « Alertes » de son profil. Elle peut y être retirée.`,
  confirm: (name, code, time) =>
    `Le code est ${code}. Saisissez-le sur la page « Alertes » du profil de ${name} pour que les alertes soient envoyées à cette adresse. Il sert une seule fois, jusqu'à ${time}.`,
  confirmSubject: 'Confirmez cette adresse',
  confirmFooter: "Si vous ne savez pas de quoi il s'agit, ignorez ce message : rien d'autre ne sera envoyé à cette adresse.",
};

const texts: Record<AlertLanguage, typeof en> = { en, fr };
const causeWords: Record<AlertLanguage, CauseWords> = { en: causesEn, fr: causesFr };
const daysOf: Record<AlertLanguage, string | undefined> = { en: undefined, fr: 'jours' };

/** What is said where no cause was found. */
const unknownCause: Cause = { case: 'failing', values: { ...noValues, mixed: true } };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function partnerText({ kind, alert }: Told, language: AlertLanguage): string {
  const { opened_at, resolved_at } = alert;
  const detail = alert.detail as OwnDetail;
  const words = texts[language];
  const endpoint = words.endpoint(detail.values);
  const saysWhy = () => sayCause(causeWords[language], englishSpeech, detail.cause ?? unknownCause, endpoint);
  const says = () => {
    if (kind === 'resolved') {
      const ending = detail.ending?.case ?? 'cleared';
      const over = resolved_at ?? opened_at;
      const what = detail.case === 'dead_letters' && ending === 'cleared' ? words.noDeadLetter : words.over[ending];
      return `${endpoint} ${what} ${words.at(utc(over), lasted(over - opened_at, daysOf[language]))}`;
    }
    if (detail.case === 'endpoint_disabled') return `${endpoint} ${words.endpoint_disabled[detail.values.because]}`;
    return `${saysWhy()} ${words[detail.case]}`;
  };
  return oneLine(capital(says()));
}

type Named = Pick<Recipient, 'name' | 'language'>;

/**
 * Returns one message with all alerts that are sent to an address at the same time. `url` is the profile's; null if the gateway's
 * address is not known.
 */
export function partnerMessage(all: readonly Told[], { name, language }: Named, url: string | null): Message {
  const words = texts[language];
  const lines = all.map((told) => {
    const { subject, opened_at, resolved_at } = told.alert;
    const title = partnerText(told, language);
    const isOpen = resolved_at === null && told.kind === 'opened';
    return { title, text: isOpen ? `${title} ${words.since(utc(opened_at))}` : title, page: `/endpoints/${subject}` };
  });
  const footer = words.footer(oneLine(name));
  return digest(lines, {
    many: words.many(all.length),
    more: words.more,
    footer: url === null ? footer : `${footer}\n${url}/alerts`,
    url,
  });
}

/** The message with which the owner of an address shows that it wants alerts. */
export function confirmation({ name, language }: Named, code: string, expiresAt: number, url: string | null): Message {
  const words = texts[language];
  const text = words.confirm(oneLine(name), code, utc(expiresAt));
  return compose(words.confirmSubject, [{ text, page: '/alerts' }], { footer: words.confirmFooter, url });
}
