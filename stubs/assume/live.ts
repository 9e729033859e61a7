import type { ServiceName } from '../../contracts/documents/services.ts';
import { contradictionIn, findGap, type Gap, gaps } from '../../contracts/gaps/gaps.ts';
import { harmlessGaps, isHarmless } from '../../contracts/gaps/harmless.ts';
import type { Asked, MessageChange, ReplyChange } from '../../contracts/tools/assumptions/alternative.ts';
import { alternatives } from '../../contracts/tools/assumptions/alternatives.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { JsonReply } from '../../contracts/tools/json.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { cohesionPolicies } from '../policies/cohesion.ts';
import { codesOfPolicies, posPolicies } from '../policies/pos.ts';
import { type WebhookPolicy, webhookPolicies } from '../policies/webhooks.ts';
import { begin, finish } from './calls.ts';
import { type ActiveAlternative, type Assumed, assumedText } from './chosen.ts';
import { cohesionVariants } from './cohesion.ts';
import { activeHarmless, withAll } from './harmless/chosen.ts';
import { harmlessOf } from './harmless/harmless.ts';
import { ChangedWebhooks } from './harmless/webhooks.ts';
import { trueHelp, withoutFieldGaps } from './help.ts';
import { learn } from './learn.ts';
import { inOrder } from './order.ts';
import { posVariants } from './pos.ts';
import { lookMark } from './seen.ts';
import type { EventChange, Harmless, Live, Variant, Variants } from './types.ts';

const variants: Readonly<Record<ServiceName, Variants>> = {
  pos: posVariants,
  cohesion: cohesionVariants,
};

/** What verbs do under alternatives, as members of the API's policy. */
export const policies: Readonly<Record<ServiceName, Readonly<Record<string, object>>>> = {
  pos: posPolicies,
  cohesion: cohesionPolicies,
};

/** What has alternatives: the gaps of an API, and the harmless changes. */
export const entriesOf = (api: ServiceName): Gap[] => [...gaps.filter((gap) => gap.api === api), ...harmlessGaps(api)];

/** Says that a text is no entry of an API, with the nearest one; undefined if it is one, or `harmless`, which stands for several. */
export function notAnEntry(api: ServiceName, text: string): string | undefined {
  const known = ['harmless', ...entriesOf(api).map(({ id }) => id)];
  if (known.includes(text)) return undefined;
  return `"${text}" is neither a gap of ${api} nor a harmless change. ${didYouMean(text, known)}`.trimEnd();
}

/** The alternatives of an API that a stub can play, as `GAP=ALTERNATIVE`. Those of harmless changes are the last. */
export const playable = (api: ServiceName): string[] =>
  entriesOf(api).flatMap((gap) =>
    gap.alternatives.filter(({ notPlayed }) => notPlayed === undefined).map(({ id }) => assumedText(gap.id, id)),
  );

/** Returns the behaviour under these alternatives. Throws `CouldNotRun` if one is unknown or not played, or if two contradict. */
export function liveOf(api: ServiceName, given: Assumed): Live {
  const assumed = withAll(api, given);
  const list = Object.entries(assumed).map(([gap, id]) => activeOf(api, gap, id));
  const active = new Set(list.map(({ gap, alternative }) => assumedText(gap, alternative)));
  refuseContradictions(active);
  const changing = new Set(Object.keys(assumed).filter(isHarmless));
  const harmless = changing.size > 0 ? harmlessOf(api, changing) : undefined;
  const ordered = inOrder(list.filter(({ gap }) => !isHarmless(gap)));
  const played = ordered.map((one) => ({
    one,
    name: assumedText(one.gap, one.alternative),
    variant: variants[api][assumedText(one.gap, one.alternative)],
  }));
  const own = played.flatMap(({ variant }) => variant ?? []);
  const changes = played.map(({ one, variant }) => changesOf(api, one, variant));
  const replies = changes.flatMap((change) => change.replies);
  const messages = changes.flatMap((change) => change.messages);
  const events = changes.flatMap((change) => change.events);
  const webhooks: WebhookPolicy = Object.assign({}, ...[...active].map((one) => webhookPolicies[one]));
  const policy = Object.assign({}, ...played.map(({ name }) => policies[api][name]));
  return {
    list: entriesOf(api).flatMap(({ id }) => list.filter(({ gap }) => gap === id)),
    variants: [...requestOrder(played), ...(harmless?.variants ?? [])],
    tokens: readingOrder(own),
    policy: { ...policy, ...(harmless && { idSuffix: harmless.idSuffix }) },
    webhooks,
    changeWebhooks: (parts) => new ChangedWebhooks(parts, webhooks),
    limits: own.flatMap(({ limits = [] }) => limits),
    async look(asked, around) {
      const seen = await Promise.all(
        played.map(async ({ name, variant }) => ({ name, params: { found: await variant?.look?.(asked, around) } })),
      );
      const found = seen.filter(({ params }) => params.found !== undefined);
      return { states: found.map(({ name, params }) => ({ name: lookMark + name, params })), fromStates: [] };
    },
    reply: (reply, asked) => replies.reduce((changed, change) => change(changed, asked), reply),
    message: (message) => messages.reduce((changed, change) => change(changed), message),
    async event(message, event, rows) {
      let changed = message;
      for (const change of events) changed = await change(changed, event, rows);
      return changed;
    },
    ...{ begin, finish: harmless ? finishing(harmless) : finish, harmless },
    trueHelp: (help, code) =>
      trueHelp(codesOfPolicies.includes(code) ? withoutFieldGaps(help) : help, {
        ...{ variants: own, replies, hasPolicy: Object.keys(policy).length > 0, isChosen: (gap) => Object.hasOwn(assumed, gap) },
      }),
    isActive: (one) => active.has(one),
    alternativeOf: (gap) => assumed[gap],
    learn: (asked, around) => learn(active, asked, around),
    refuses: (asked) => refusalOf(replies, asked),
  };
}

/**
 * A request is read in the units that it has before anything else of it is judged. What the reference would refuse is hidden from
 * its validation at last, so that all other variants see it.
 */
const requestOrder = (played: readonly { one: ActiveAlternative; variant: Variant | undefined }[]): Variant[] =>
  played.toSorted((first, second) => placeOf(first.one) - placeOf(second.one)).flatMap(({ variant }) => variant ?? []);

const places: Readonly<Record<string, number>> = {
  'pos.currency': -1,
  'pos.payment-fields-required': 1,
  'pos.payment-methods': 1,
};
const placeOf = ({ gap }: ActiveAlternative) => places[gap] ?? 0;

/** First where the token is, then what was done last to a token that was issued. */
function readingOrder(own: readonly Variant[]): Variant[] {
  const readers = own.filter(({ token }) => token !== undefined);
  const [first] = readers;
  const isPlace = (one: Variant) => one === first && one.reply === undefined;
  return [...readers.filter(isPlace), ...readers.filter((one) => !isPlace(one)).toReversed()];
}

/** A reply gets all alternatives before it is written in another way. */
const finishing =
  (harmless: Harmless): Live['finish'] =>
  (live, parts, request, reply, payload) =>
    harmless.reply(request, reply, finish(live, parts, request, reply, payload));

/** The changes of replies and messages under an alternative: its variant's, and otherwise its own, unless a verb decides. */
function changesOf(
  api: ServiceName,
  { gap, alternative }: ActiveAlternative,
  variant: Variant | undefined,
): { replies: ReplyChange[]; messages: MessageChange[]; events: EventChange[] } {
  const isOfVerb = assumedText(gap, alternative) in policies[api];
  const own = isOfVerb ? [] : alternatives[api].filter((one) => one.gap === gap && one.id === alternative);
  const shown = own.flatMap(({ reply }) => reply ?? []);
  const messages = variant?.message ? [variant.message] : own.flatMap(({ message }) => message ?? []);
  return { replies: variant?.reply ? [variant.reply] : shown, messages, events: variant?.event ? [variant.event] : messages };
}

function activeOf(api: ServiceName, gapId: string, id: string): ActiveAlternative {
  if (isHarmless(gapId)) return activeHarmless(api, gapId, id);
  const gap = gapOf(api, gapId);
  const ids = gap.alternatives.map((one) => one.id);
  const found = gap.alternatives.find((one) => one.id === id);
  const listed = gap.alternatives.map((one) => `${one.id} (${one.text})`).join(', ');
  if (!found) throw new CouldNotRun(`assume: ${gapId} has no alternative "${id}". ${didYouMean(id, ids)}It has ${listed}.`);
  if (found.notPlayed !== undefined) throw new CouldNotRun(`assume: a stub does not play ${gapId}=${id}. ${found.notPlayed}`);
  return { gap: gapId, alternative: id, text: found.text };
}

function gapOf(api: ServiceName, id: string): Gap {
  const found = findGap(id);
  if (found?.api === api) return found;
  if (found) throw new CouldNotRun(`assume: ${id} is a gap of ${found.api}, and this stub serves ${api}.`);
  const known = entriesOf(api).map((gap) => gap.id);
  const all = `The gaps of ${api} are ${known.join(', ')}.`;
  throw new CouldNotRun(`assume: "${id}" is not a gap of ${api}. ${didYouMean(id, [...known, 'harmless'])}${all}`);
}

function refuseContradictions(active: ReadonlySet<string>): void {
  const found = contradictionIn([...active]);
  if (found) throw new CouldNotRun(`assume: ${found.one} contradicts ${found.other}: ${found.because}`);
}

/** A success that says nothing, to find the alternatives that refuse a request whatever it would lead to. */
const anySuccess: JsonReply = { status: 200, headers: {}, body: {} };

function refusalOf(replies: readonly ReplyChange[], asked: Asked): JsonReply | undefined {
  if (asked.operation.startsWith('GET')) return undefined;
  for (const reply of replies) {
    const refused = reply(anySuccess, asked);
    if (refused.status >= 400) return refused;
  }
  return undefined;
}
