import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { shown } from '../takes.ts';
import type { RecordedCall } from './call.ts';
import { type CallFilter, describeFilter, differencesOf } from './filter.ts';

/** What `expectCalls` returns: a check of how often the matching calls were made. */
export interface CallExpectation {
  /**
   * Throws an error with the calls, or the nearest ones, if the number of matching calls is another. Without `times`, one or
   * more must have been made.
   */
  toHaveBeenMade(times?: number): void;
}

/** An expectation of the calls that match a filter, of all that were received. */
export const expectationOf = (
  received: readonly RecordedCall[],
  made: readonly RecordedCall[],
  filter: CallFilter,
): CallExpectation => ({
  toHaveBeenMade(times) {
    if (times !== undefined && !(Number.isInteger(times) && times >= 0))
      throw new CouldNotRun(`times: ${shown(times)} is not a whole number of calls.`);
    if (times === undefined ? made.length > 0 : made.length === times) return;
    const wanted = describeFilter(filter);
    const expected = times === undefined || times === 1 ? wanted : wanted.replace(/^an?y? call/, `${times} calls`);
    const got = made.length === 0 ? `none. ${nearestCalls(received, filter)}` : `${made.length}:\n${made.map(lineOf).join('\n')}`;
    throw new Error(`Expected ${expected}, got ${got}`);
  },
});

const lineOf = ({ method, url, status, id }: RecordedCall) => `  ${method} ${url} -> ${status} (${id})`;

/** The three calls that differ least from a filter, with their differences, for messages. */
export function nearestCalls(received: readonly RecordedCall[], filter: CallFilter): string {
  if (received.length === 0) return 'Nothing was received.';
  const nearest = received
    .map((call) => ({ call, differences: differencesOf(call, filter) }))
    .sort((one, other) => one.differences.length - other.differences.length)
    .slice(0, 3)
    .map(
      ({ call, differences }) => `${lineOf(call)}: ${differences.join('; ') || 'matches, but did not come later than `after`'}`,
    );
  return [`Of ${received.length} received, the nearest are:`, ...nearest].join('\n');
}
