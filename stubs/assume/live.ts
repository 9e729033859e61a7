import type { ServiceName } from '../../contracts/documents/services.ts';
import { contradictionIn, findAlternative, findGap, type Gap, gaps } from '../../contracts/gaps/gaps.ts';
import { harmlessGaps, isHarmless } from '../../contracts/gaps/harmless.ts';
import { stages } from '../../contracts/gaps/is/is.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import { codesOfPolicies } from '../policies/codes.ts';
import { cohesionPolicies } from '../policies/cohesion.ts';
import { posPolicies } from '../policies/pos.ts';
import { type WebhookPolicy, webhookPolicies } from '../policies/webhooks.ts';
import { begin, finish } from './calls.ts';
import { type ActiveAlternative, type Assumed, assumedText } from './chosen.ts';
import { cohesionVariants } from './cohesion.ts';
import { activeHarmless, withAll } from './harmless/chosen.ts';
import { harmlessOf } from './harmless/harmless.ts';
import { ChangedWebhooks } from './harmless/webhooks.ts';
import { trueHelp, withoutFieldGaps } from './help.ts';
import { posVariants } from './pos.ts';
import type { Live, Variant } from './types.ts';

/** What alternatives do that the register cannot say. */
const variants: Readonly<Record<ServiceName, Readonly<Record<string, Variant>>>> = {
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

/** What an alternative does, in parts: what the register says, and what needs more. */
const partsOf = (api: ServiceName, name: string): Variant[] => {
  const is = [findAlternative(name)?.is ?? []].flat();
  const variant = variants[api][name];
  const own = variant?.event ? is.map(({ message: _, ...others }): Variant => others) : is;
  return [...own, ...(variant ? [variant] : [])];
};

/** Returns the behaviour under these alternatives. Throws `CouldNotRun` if one is unknown or not played, or if two contradict. */
export function liveOf(api: ServiceName, given: Assumed): Live {
  const assumed = withAll(api, given);
  const chosen = Object.entries(assumed).map(([gap, id]) => activeOf(api, gap, id));
  const list = entriesOf(api).flatMap(({ id }) => chosen.filter(({ gap }) => gap === id));
  const names = list.map(({ gap, alternative }) => assumedText(gap, alternative));
  const active: ReadonlySet<string> = new Set(names);
  refuseContradictions(active);
  const changing = new Set(Object.keys(assumed).filter(isHarmless));
  const harmless = changing.size > 0 ? harmlessOf(api, changing) : undefined;
  const parts = names
    .flatMap((name) => partsOf(api, name))
    .toSorted((one, other) => stages.indexOf(one.at) - stages.indexOf(other.at));
  const webhooks: WebhookPolicy = Object.assign({}, ...valuesOf(webhookPolicies, names));
  const policy: object = Object.assign({}, ...valuesOf(policies[api], names));
  const variants = [...parts.filter(({ request }) => request), ...(harmless?.variants ?? [])];
  const tokens = parts.filter(({ token }) => token);
  const live: Live = {
    list,
    variants,
    tokens,
    webhooks,
    harmless,
    policy: { ...policy, ...(harmless && { idSuffix: harmless.idSuffix }) },
    changeWebhooks: (running) => new ChangedWebhooks(running, webhooks),
    limits: parts.flatMap(({ limits = [] }) => limits),
    async look(asked, around) {
      const looking = parts.filter(({ look }) => look);
      return new Map(await Promise.all(looking.map(async (part) => [part, await part.look?.(asked, around)] as const)));
    },
    reply: (reply, asked, seen) =>
      parts.reduce((changed, part) => part.reply?.(changed, asked, seen?.get(part)) ?? changed, reply),
    message: (message) => parts.reduce((changed, part) => part.message?.(changed) ?? changed, message),
    async event(message, event, rows) {
      let changed = message;
      for (const part of parts) changed = (await part.event?.(changed, event, rows)) ?? part.message?.(changed) ?? changed;
      return changed;
    },
    begin: (...call) => begin(live, ...call),
    // A reply gets all alternatives before it is written in another way.
    finish(running, request, reply, payload) {
      const finished = finish(live, running, request, reply, payload);
      return harmless?.reply(request, reply, finished) ?? finished;
    },
    trueHelp: (help, code) =>
      trueHelp(codesOfPolicies.includes(code) ? withoutFieldGaps(help) : help, {
        isRead: variants.length + tokens.length > 0 || Object.keys(policy).length > 0,
        isChosen: (gap) => Object.hasOwn(assumed, gap),
      }),
    isActive: (one) => active.has(one),
  };
  return live;
}

const valuesOf = (table: Readonly<Record<string, object | undefined>>, names: readonly string[]) =>
  names.flatMap((name) => table[name] ?? []);

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
