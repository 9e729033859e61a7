import type { FastifyReply, FastifyRequest } from 'fastify';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { contradictionIn, findGap, type Gap, gapsOf, nameAlternative } from '../../spec/gaps/gaps.ts';
import { harmlessGaps, harmlessId, isHarmless } from '../../spec/gaps/harmless.ts';
import { inOrder, messageUnder, replyUnder } from '../../spec/gaps/is/effect.ts';
import type { Asked, JsonMessage } from '../../spec/gaps/is/is.ts';
import type { JsonReply } from '../../spec/json.ts';
import type { Help } from '../help/help.ts';
import type { ActiveAlternative, Assumed } from '../types.ts';
import { written } from './harmless/json.ts';
import { ChangedWebhooks, type WebhookChangeParts } from './harmless/webhooks.ts';
import { otherHeaders, sentBy } from './harmless/wire.ts';
import { trueHelp } from './help.ts';

/** What has alternatives: the gaps of an API, and the harmless changes. */
export const entriesOf = (api: ServiceName): Gap[] => [...gapsOf(api), ...harmlessGaps(api)];

/** Says that a text is no entry of an API, with the nearest one; undefined if it is one, or `harmless`, which stands for several. */
export function notAnEntry(api: ServiceName, text: string): string | undefined {
  const known = ['harmless', ...entriesOf(api).map(({ id }) => id)];
  if (known.includes(text)) return undefined;
  return `"${text}" is neither a gap of ${api} nor a harmless change. ${didYouMean(text, known) || `passerelle gaps ${api} lists the gaps.`}`.trimEnd();
}

export type Live = ReturnType<typeof liveOf>;

/** Returns the behaviour under these alternatives. Throws `CouldNotRun` if one is unknown or not played, or if two contradict. */
export function liveOf(api: ServiceName, given: Assumed) {
  const assumed = withAll(api, given);
  for (const [gap, id] of Object.entries(assumed)) {
    const reason = whyNotPlayed(api, gap, id);
    if (reason !== undefined) throw new CouldNotRun(`assume: ${reason}`);
  }
  const chosen = entriesOf(api).flatMap(({ id: gap, alternatives }) =>
    alternatives.filter(({ id }) => assumed[gap] === id).map((one) => ({ ...one, gap, name: nameAlternative(gap, one.id) })),
  );
  const names = chosen.map(({ name }) => name);
  const contradiction = contradictionIn(names);
  if (contradiction)
    throw new CouldNotRun(`assume: ${contradiction.one} contradicts ${contradiction.other}: ${contradiction.because}`);
  const parts = inOrder(chosen.flatMap(({ is = [] }) => is));
  const changing = new Set(Object.keys(assumed).filter(isHarmless));
  const has = (change: string) => changing.has(`harmless.${change}`);
  const requests = parts.flatMap(({ request }) => request ?? []);
  const tokens = parts.flatMap(({ token }) => token ?? []);
  return {
    hasPendingPayments: parts.some(({ paymentsArePending }) => paymentsArePending),
    /** In the register's order. */
    list: chosen.map(({ gap, id, text }): ActiveAlternative => ({ gap, alternative: id, text })),
    requests,
    tokens,
    hasHarmless: changing.size > 0,
    /** The text of a body, as the harmless changes write it. */
    written: (body: unknown): string => written(body, { api, has }),
    otherHeaders: (headers: Record<string, string>) => otherHeaders(has, headers),
    sentBy: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => sentBy(has, request, reply, payload),
    changeWebhooks: (running: WebhookChangeParts) => new ChangedWebhooks(running, has),
    /** `asked`: the request as it was sent. */
    reply: (reply: JsonReply, asked: Asked): JsonReply => replyUnder(parts, reply, asked),
    message: (message: JsonMessage): JsonMessage => messageUnder(parts, message),
    /** Returns the help of a refusal as far as it is true under the active alternatives. */
    trueHelp: (help: Help): Help =>
      trueHelp(help, {
        isRead: requests.length + tokens.length > 0,
        isChosen: (gap) => Object.hasOwn(assumed, gap),
      }),
    isActive: (name: string) => names.includes(name),
  };
}

/** Puts all harmless changes that a stub of the API plays in the place of `harmless=all`. */
function withAll(api: ServiceName, { harmless, ...others }: Assumed): Assumed {
  if (harmless === undefined) return others;
  const played = harmlessGaps(api).filter(({ alternatives: [only] }) => only?.notPlayed === undefined);
  if (harmless === 'all') return { ...others, ...Object.fromEntries(played.map(({ id }) => [id, harmlessId])) };
  throw new CouldNotRun(
    `assume: harmless has no alternative "${harmless}". harmless=all makes all harmless changes, and harmless.gzip one of them.`,
  );
}

/** Says that an alternative does not exist, or that a stub of this API does not play it. */
function whyNotPlayed(api: ServiceName, gapId: string, id: string): string | undefined {
  const { alternatives } = entriesOf(api).find((one) => one.id === gapId) ?? {};
  const other = findGap(gapId);
  if (!alternatives) return other ? `${gapId} is a gap of ${other.api}, and this stub serves ${api}.` : notAnEntry(api, gapId);
  const ids = alternatives.map((one) => one.id);
  const found = alternatives.find((one) => one.id === id);
  const listed = alternatives.map((one) => `${one.id} (${one.text})`).join(', ');
  if (!found) return `${gapId} has no alternative "${id}". ${didYouMean(id, ids)}It has ${listed}.`;
  return found.notPlayed && `a stub of ${api} does not play ${gapId}=${id}. ${found.notPlayed}`;
}
