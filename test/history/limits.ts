import type { Findings } from './findings.ts';
import type { Declared, Received } from './line.ts';

/** What the limits of an endpoint need of a request. */
export type Receipt = Pick<Received, 'event' | 'endpoint' | 'at' | 'ended' | 'sequence' | 'excuses'> & { line: number };

/** Returns whether a time lies in the period, or so near to it that the clocks may be at fault. */
export const covers = ({ from, until }: Pick<Declared, 'from' | 'until'>, at: number, skewMs = 0): boolean =>
  at >= (from ?? Number.NEGATIVE_INFINITY) - skewMs && at < (until ?? Number.POSITIVE_INFINITY) + skewMs;

/** True if the declaration limits the requests to its endpoint, so that the check must keep all of them. */
export const limits = ({ from, until, ordered, max_in_flight, max_per_second }: Declared): boolean =>
  [from, until, max_in_flight, max_per_second].some((one) => one !== undefined) || ordered === true;

/** Checks the requests to an endpoint against what was declared for their times. */
export function checkLimits(receipts: Receipt[], periods: readonly Declared[], skewMs: number, findings: Findings): void {
  receipts.sort((one, other) => one.at - other.at);
  const counted = receipts.filter(({ excuses }) => !excuses?.includes('over_limit'));
  for (const one of counted)
    if (!periods.some((period) => covers(period, one.at, skewMs)))
      over(findings, one, 'It was sent at a time for which its endpoint is not declared', []);
  for (const period of periods) {
    const own = counted.filter(({ at }) => covers(period, at));
    if (period.max_in_flight !== undefined) checkInFlight(own, period.max_in_flight, findings);
    if (period.max_per_second !== undefined) checkRate(own, period.max_per_second, findings);
    if (period.ordered)
      checkOrder(
        receipts.filter(({ at }) => covers(period, at)),
        findings,
      );
  }
}

function checkInFlight(receipts: readonly Receipt[], most: number, findings: Findings): void {
  let running: Receipt[] = [];
  for (const one of receipts) {
    running = [...running.filter(({ ended = 0 }) => ended > one.at), one];
    if (running.length > most) over(findings, one, `${running.length} requests ran at once, and the limit is ${most}`, running);
  }
}

function checkRate(receipts: readonly Receipt[], most: number, findings: Findings): void {
  for (const [at, one] of receipts.entries()) {
    const earlier = receipts[at - most];
    if (earlier && one.at - earlier.at < 1000)
      over(findings, one, `${most + 1} requests began within a second, and the limit is ${most}`, receipts.slice(at - most, at));
  }
}

function checkOrder(receipts: readonly Receipt[], findings: Findings): void {
  let last: Receipt | undefined;
  for (const one of receipts) {
    if (one.sequence === undefined || one.excuses?.includes('reordered')) continue;
    if (last?.sequence !== undefined && one.sequence < last.sequence) {
      const text = `It came after ${last.event}, which follows it (${one.sequence} after ${last.sequence}).`;
      findings.add({ rule: 'reordered', event: one.event, endpoint: one.endpoint, text, lines: [last.line, one.line] });
    } else last = one;
  }
}

function over(findings: Findings, { event, endpoint, line }: Receipt, what: string, others: readonly Receipt[]): void {
  const lines = [...new Set([...others.map((one) => one.line), line])];
  findings.add({ rule: 'over_limit', event, endpoint, text: `${what}.`, lines });
}
