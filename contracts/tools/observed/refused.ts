import type { GapAlternative } from '../../../spec/gaps/gap.ts';
import { findGap } from '../../../spec/gaps/gaps.ts';
import type { JsonReply } from '../../../spec/json.ts';
import type { SeenCall } from './call.ts';
import { not, other, type Recogniser, rule } from './finding.ts';

/**
 * A kind of refused call: its name (as in `wrong credentials are`), our reply to it (undefined if it shows nothing), and a
 * function that recognises such calls.
 */
export type Kind = readonly [
  what: string,
  ours: JsonReply | undefined,
  isOf: (call: SeenCall, earlier: readonly SeenCall[]) => unknown,
];

/** A refusal of ours, as far as alternatives look at it. */
export const refusal = (status: number, code = '', message = ''): JsonReply => ({
  status,
  headers: {},
  body: { error: { code, message } },
});

/**
 * A recogniser of refusals by their status. It compares the status with ours, and with ours after `is` has changed it. The first
 * kind that fits counts.
 */
export const refused = (gap: string, ...kinds: Kind[]): Recogniser =>
  rule(gap, (call, earlier) => {
    const [what, ours] = kinds.find(([, , isOf]) => isOf(call, earlier)) ?? [];
    if (ours === undefined) return undefined;
    const statusUnder = ({ is = [] }: Pick<GapAlternative, 'is'>) =>
      [is].flat().reduce((reply, part) => part.reply?.(reply, call.asked) ?? reply, ours).status;
    const ways = (findGap(gap)?.alternatives ?? []).filter((one) => statusUnder(one) !== ours.status);
    const because = `${what} answered with ${call.status}`;
    if (call.status === ours.status) return [not(...ways.map(({ id }) => id)), because];
    const way = ways.find((one) => statusUnder(one) === call.status);
    return way ? [way.id, because] : call.isInvalid && [other, because];
  });
