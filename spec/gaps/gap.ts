import type { ServiceName } from '../documents/services.ts';
import type { Is } from './is/is.ts';

/** `client`: code can be written that works under the alternative and the choice. `owner`: only once the service's owner has answered. */
export type SettledBy = 'client' | 'owner';

/** Another possible meaning of what a document leaves open. */
export interface GapAlternative {
  /** Short, unique within its gap: `pos.sale-status=200`. It never changes, as the gap's id. */
  id: string;
  settledBy: SettledBy;
  text: string;
  /** What it changes. Absent if no change of requests, replies and webhooks plays it. Then `notPlayed` says why. */
  is?: Is | readonly Is[];
  /** Why a stub does not play it, as a sentence, which `--assume` shows. If it has an `is`, `observe` judges by it, and `assumptions` messages. */
  notPlayed?: string;
  /** Alternatives that no service can have beside it, as `GAP=ALTERNATIVE`, and why. Each pair stands at one of the two. */
  excludes?: Readonly<Record<string, string>>;
  /** True if its pacts have other requests, so that `assumptions` cannot judge by refusals of ours. */
  requestsDiffer?: true;
}

/** An open question and the choice. What depends on it names it: `gap pos.currency` in a comment, `'x-gap'` on a route, `gaps` on an event. */
export interface Gap {
  /** `pos.` or `cohesion.`, then words with hyphens. It never changes: code, documents and partners refer to it. */
  id: string;
  api: ServiceName;
  /** The document's section, by its number and heading. */
  section: string;
  /** The document's own words, which say *not shown*; empty if it says nothing at all. */
  quote: string;
  question: string;
  choice: string;
  why: string;
  /** Other possible meanings. Partners should be ready for them until the choice is confirmed. */
  alternatives: readonly GapAlternative[];
  /** True if a service can have several of the alternatives at once, so that `observe` judges each by itself. */
  severalAtOnce?: true;
  /** Why `assumptions` cannot show some of the alternatives in one reply or message, as a sentence: also that no stub plays them. */
  untestable?: string;
  status: 'assumed' | 'confirmed' | 'refuted';
}

/** A gap as programs get it: `alternatives` are texts, as before they had ids. */
export const viewGap = ({ severalAtOnce: _1, untestable: _2, ...gap }: Gap) => ({
  ...gap,
  alternatives: gap.alternatives.map(({ text }) => text),
  named_alternatives: gap.alternatives.map(({ id, settledBy, text, notPlayed }) => ({
    id,
    text,
    settled_by: settledBy,
    played: notPlayed === undefined,
    ...(notPlayed !== undefined && { not_played_because: notPlayed }),
  })),
});

/** What an alternative has beside its words. */
type Further = Omit<GapAlternative, 'id' | 'settledBy' | 'text'>;
type Named<I extends string> = GapAlternative & { readonly id: I };

const alternative =
  (settledBy: SettledBy) =>
  <const I extends string>(id: I, text: string, further: Further = {}): Named<I> => ({ id, settledBy, text, ...further });

/** An alternative that code can be ready for. */
export const client = alternative('client');
/** An alternative that only the service's owner settles. */
export const owner = alternative('owner');

/** `notPlayed`: why a stub plays none of the alternatives. */
type Entry = Omit<Gap, 'id' | 'api' | 'section' | 'quote' | 'status'> &
  Partial<Pick<Gap & GapAlternative, 'quote' | 'status' | 'notPlayed'>>;

/** The entries of one section of one document, by their ids. A document that says nothing has no words to quote. */
export const section = <const E extends Readonly<Record<string, Entry>>>(api: ServiceName, heading: string, entries: E) =>
  Object.entries(entries).map(([id, { notPlayed, alternatives, ...entry }]) => ({
    id,
    api,
    section: heading,
    quote: '',
    status: 'assumed',
    ...(notPlayed !== undefined && { untestable: notPlayed }),
    ...entry,
    alternatives: notPlayed === undefined ? alternatives : alternatives.map((one) => ({ ...one, notPlayed })),
  })) as { [I in keyof E & string]: Gap & E[I] & { readonly id: I } }[keyof E & string][];

/** The ids of the alternatives of gaps, as `GAP=ALTERNATIVE`. */
export type NameIn<G> = G extends { id: infer I extends string; alternatives: readonly { id: infer A extends string }[] }
  ? `${I}=${A}`
  : never;

/** Why one reply cannot show an alternative, where several gaps have the same reason. */
export const untestable = {
  asked: 'It affects the client’s request, not the answer.',
  overTime: 'It shows only over many calls.',
  outside: 'It is outside this API.',
  condition: 'It affects when the event is sent; its payload is a separate gap.',
  twoRequests: 'It needs two requests.',
};

/** Why a stub does not play an alternative, where several have the same reason. */
export const unplayed = {
  stored: 'It changes what is stored, and a stub changes only requests and replies.',
  records: 'It depends on stored records that neither the request nor the reply shows.',
  rows: 'It changes which rows a list has, and a stub changes only the page that is asked for.',
  earlierCalls: 'It depends on earlier calls, and a stub changes each call by itself.',
  time: 'It depends on the time at the service, which neither the request nor the reply shows.',
  counting: 'It changes how calls are counted, and a stub changes only requests and replies.',
  attempts: 'It changes when and how often a webhook is sent, and a stub changes only its content.',
  operators: 'An operator makes the move outside of this API, and the event is the same either way.',
};
