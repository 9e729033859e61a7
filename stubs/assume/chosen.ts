import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';

/** Alternatives by the ids of their gaps: `{ 'pos.sale-status': '200' }`. */
export type Assumed = Readonly<Record<string, string>>;

/** An alternative that is active, as `/_stub/assume` shows it. */
export interface ActiveAlternative {
  /** Such as `pos.sale-status`. */
  gap: string;
  /** Such as `200`. */
  alternative: string;
  /** The alternative's words in the register. */
  text: string;
}

/** Reads `pos.sale-status=200,pos.payment-status=202,harmless.gzip`. Throws `CouldNotRun` for a text of another form, and if a gap has two alternatives. */
export function parseAssumed(texts: readonly string[]): Assumed {
  const chosen = new Map<string, string>();
  for (const text of texts.flatMap((list) => list.split(','))) {
    const [, harmless] = /^\s*(harmless\.[^=\s]+)\s*$/.exec(text) ?? [];
    const [, gap = '', id = ''] = harmless ? ['', harmless, 'on'] : (/^\s*([^=\s]+)=([^=\s]+)\s*$/.exec(text) ?? []);
    if (gap === '')
      throw new CouldNotRun(
        `assume: "${text.trim()}" is not GAP=ALTERNATIVE, such as pos.sale-status=200, and not a harmless change, such as harmless.gzip or harmless=all. See: passerelle gaps.`,
      );
    const before = chosen.get(gap);
    if (before !== undefined && before !== id)
      throw new CouldNotRun(`assume: ${gap} is given twice, as ${before} and as ${id}. A service has one choice: leave out one.`);
    chosen.set(gap, id);
  }
  return Object.fromEntries(chosen);
}

/** Alternatives as options and the control API take them: by gap, or as text. */
export const assumedOf = (given: Assumed | string | readonly string[]): Assumed =>
  typeof given === 'string' || isList(given) ? parseAssumed([given].flat()) : given;

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

export const assumedText = (gap: string, id: string): string => `${gap}=${id}`;
