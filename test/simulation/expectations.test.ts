import { expect, test } from 'vitest';
import { type Plan, type PlannedEndpoint, planOf } from './plan.ts';
import { simulate } from './simulate.ts';

/** The only process is suspended after it has stored an event, and before it sends anything. */
function suspendedBeforeItSends(seed: number): Plan {
  const [any] = planOf(1).endpoints as [PlannedEndpoint];
  const endpoint = { ...any, ordered: false, byOwner: false, account: null, perimeter: null, least: null };
  return {
    seed: 1,
    gateways: 1,
    troubleMs: 1000,
    faults: ['process suspended'],
    endpoints: [endpoint],
    changes: [{ atMs: 100, seed: 1, numbers: [1], subject: 'store-1' }],
    troubles: [{ atMs: 104, seed, kind: 'process suspended' }],
    actions: [],
    steal: undefined,
  };
}

test('what is due waits until the process that can send it goes on, also if that has sent nothing before', async () => {
  const stories: string[] = [];
  for (let seed = 1; seed <= 10; seed++) {
    const { story, broken } = await simulate(suspendedBeforeItSends(seed));
    expect({ seed, broken }).toEqual({ seed, broken: [] });
    stories.push(story.join('\n'));
  }
  // For more than the 90 s in which what is due must be attempted.
  expect(stories).toContainEqual(expect.stringMatching(/is pending.*process suspended: gateway-1 for \d{6} ms.*received/s));
});
