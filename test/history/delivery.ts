import { covers } from './limits.ts';
import type { Declared, Recorded, Rule } from './line.ts';

export type At = { at: number; line: number };

/** An event at an endpoint. */
export interface Delivery {
  isOwed: boolean;
  /** The line of the first request, the first request that the receiver answered with 2xx, and the last one without an excuse. */
  first?: number;
  taken?: At;
  last?: At;
  recorded?: Pick<Recorded, 'state' | 'at' | 'reason'> & { line: number };
}

/** The facts that decide about a delivery. */
export interface Context {
  acknowledged: At | undefined;
  /** The acknowledgement names the endpoints. */
  isListed: boolean;
  declared: readonly Declared[];
  skewMs: number;
  /** The latest time in the history. */
  lastAt: number;
}

export interface Broken {
  rule: Rule;
  text: string;
  lines: readonly number[];
}

export const brokenBy = (delivery: Delivery, context: Context): Broken[] =>
  [lost, misdirected, duplicated, late].flatMap((rule) => rule(delivery, context) ?? []);

const linesOf = (...places: ({ line: number } | undefined)[]) => places.flatMap((place) => (place ? [place.line] : []));

/** A delivery that no receiver took must have a reason, or must still be running. */
function lost({ isOwed, taken, recorded }: Delivery, { acknowledged }: Context): Broken | undefined {
  const found = (text: string): Broken => ({ rule: 'lost', text, lines: linesOf(acknowledged, recorded) });
  if (taken) return undefined;
  if (recorded?.state === 'delivered') return found('The ledger says delivered, and no receiver took it.');
  if (!isOwed) return undefined;
  if (recorded === undefined) return found('No receiver took it, and the ledger does not say why.');
  if (recorded.state !== 'pending' && recorded.reason === undefined) return found(`It is ${recorded.state} without a reason.`);
  return undefined;
}

function misdirected({ isOwed, first }: Delivery, { acknowledged, isListed }: Context): Broken | undefined {
  if (!isListed || isOwed || first === undefined) return undefined;
  const text = 'Its acknowledgement does not name this endpoint.';
  return { rule: 'misdirected', text, lines: linesOf(acknowledged, { line: first }) };
}

function duplicated({ recorded, last }: Delivery, { skewMs }: Context): Broken | undefined {
  if (recorded?.state !== 'delivered' || recorded.at === undefined || !last) return undefined;
  const afterMs = last.at - recorded.at;
  if (afterMs <= skewMs) return undefined;
  const text = `It was sent ${afterMs} ms after the ledger had it as delivered.`;
  return { rule: 'duplicated', text, lines: linesOf(recorded, last) };
}

function late({ isOwed, taken, recorded }: Delivery, { acknowledged, declared, lastAt }: Context): Broken | undefined {
  if (!isOwed || !acknowledged || (!taken && recorded?.state !== 'pending')) return undefined;
  const withinMs = declared.findLast((period) => covers(period, acknowledged.at))?.within_ms;
  const tookMs = (taken?.at ?? lastAt) - acknowledged.at;
  if (withinMs === undefined || tookMs <= withinMs) return undefined;
  const what = taken ? `It was taken ${tookMs} ms after it was acknowledged` : `It has been pending for ${tookMs} ms`;
  return { rule: 'late', text: `${what}; the limit is ${withinMs} ms.`, lines: linesOf(acknowledged, taken ?? recorded) };
}
