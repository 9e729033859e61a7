import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll } from '../for-all.ts';
import { HistoryCheck } from './check.ts';
import { type Line, type Received, type Rule, rules } from './line.ts';

const skewMs = 1000;
const beganMs = 1_000_000_000;
const within_ms = 1e9;

/** An endpoint for each kind of limit. All are owed every event. */
const endpoints: readonly (Line & { kind: 'endpoint' })[] = [
  { kind: 'endpoint', endpoint: 'narrow', max_in_flight: 1, from: beganMs, within_ms },
  { kind: 'endpoint', endpoint: 'ordered', ordered: true, within_ms },
  { kind: 'endpoint', endpoint: 'slow', max_per_second: 1, within_ms },
];
const names = endpoints.map(({ endpoint }) => endpoint);

/** How a delivery goes: how many requests fail, whether it is sent again because the answer was lost, and how it ends. */
const course = fc.record({
  failures: fc.integer({ min: 0, max: 3 }),
  answerLost: fc.boolean(),
  state: fc.constantFrom('delivered', 'failed', 'pending'),
});
interface Course {
  failures: number;
  answerLost: boolean;
  state: 'delivered' | 'failed' | 'pending';
}

/** A history in which each endpoint gets one request after the other, in the order of the events. */
function historyOf(events: readonly (readonly Course[])[]): Line[] {
  let now = beganMs;
  const deliver = (endpoint: string, sequence: number, { failures, answerLost, state }: Course): Line[] => {
    const event = `sale-${sequence}`;
    const answers = state === 'delivered' ? [200, ...(answerLost ? [200] : [])] : [];
    const received = [...Array<number>(failures).fill(500), ...answers].map((status): Line => {
      now += 2000;
      return { kind: 'received', event, endpoint, at: now, ended: now + 500, status, digest: `bytes of ${event}`, sequence };
    });
    now += 600;
    return [...received, { kind: 'ledger', event, endpoint, state, at: now, ...(state === 'failed' && { reason: 'status' }) }];
  };
  return events.flatMap((courses, number): Line[] => {
    const event = `sale-${number}`;
    return [
      { kind: 'acknowledged', event, at: beganMs + number, endpoints: names, digest: `bytes of ${event}` },
      ...courses.flatMap((one, at) => deliver(names[at] ?? '', number, one)),
    ];
  });
}

const taken = course.map((one): Course => ({ ...one, state: 'delivered' }));
/** Two events that are taken everywhere, and others. The lines of events come in any order. */
const correct = fc
  .tuple(
    fc.tuple(taken, taken, taken),
    fc.tuple(taken, taken, taken),
    fc.array(fc.tuple(course, course, course), { maxLength: 4 }),
  )
  .map(([one, other, more]) => historyOf([one, other, ...more]))
  .chain((lines) => fc.shuffledSubarray(lines, { minLength: lines.length }))
  .map((lines): Line[] => [...endpoints, ...lines]);

function check(lines: readonly Line[]) {
  const history = new HistoryCheck(skewMs);
  for (const [at, line] of lines.entries()) history.add(line, at + 1);
  return history.result();
}

const isAbout = (line: Line, kind: Line['kind'], endpoint: string) =>
  line.kind === kind && 'event' in line && line.event === 'sale-0' && 'endpoint' in line && line.endpoint === endpoint;
/** The first request that was taken. */
const takenOf = (lines: readonly Line[], endpoint: string) => {
  const received = lines.filter((line): line is Received => isAbout(line, 'received', endpoint));
  return received.filter(({ status }) => status === 200).toSorted((one, other) => one.at - other.at)[0] as Received;
};
const recordOf = (lines: readonly Line[], endpoint: string) =>
  lines.find((line) => isAbout(line, 'ledger', endpoint)) as Line & { kind: 'ledger' };
const without = (lines: readonly Line[], endpoint: string) => lines.filter((line) => !isAbout(line, 'received', endpoint));

/** A defect of the first event at an endpoint. */
interface Defect {
  rule: Rule;
  what: string;
  endpoint: string;
  plant(lines: readonly Line[]): Line[];
}

const again =
  (endpoint: string, change: (first: Received, recordedMs: number) => Partial<Received>) => (lines: readonly Line[]) => {
    const first = takenOf(lines, endpoint);
    return [...lines, { ...first, ...change(first, recordOf(lines, endpoint).at ?? 0) }];
  };
const recordedAs = (endpoint: string, change: Partial<Line & { kind: 'ledger' }>) => (lines: readonly Line[]) => [
  ...without(lines, endpoint),
  { ...recordOf(lines, endpoint), ...change },
];

const defects: readonly Defect[] = [
  { rule: 'lost', what: 'the ledger says delivered', endpoint: 'slow', plant: recordedAs('slow', {}) },
  { rule: 'lost', what: 'it failed without a reason', endpoint: 'slow', plant: recordedAs('slow', { state: 'failed' }) },
  {
    rule: 'lost',
    what: 'nobody knows of it',
    endpoint: 'slow',
    plant: (lines) => without(lines, 'slow').filter((line) => !isAbout(line, 'ledger', 'slow')),
  },
  {
    rule: 'duplicated',
    what: 'after it was recorded',
    endpoint: 'narrow',
    plant: again('narrow', (_, recordedMs) => ({ at: recordedMs + skewMs + 1, ended: recordedMs + skewMs + 2 })),
  },
  {
    rule: 'reordered',
    what: 'after the next one',
    endpoint: 'ordered',
    plant: (lines) => lines.map((line) => (isAbout(line, 'received', 'ordered') ? { ...line, sequence: 1.5 } : line)),
  },
  {
    rule: 'altered',
    what: 'in one request',
    endpoint: 'slow',
    plant: (lines) => {
      const changed = takenOf(lines, 'slow');
      return [...lines.filter((line) => line !== changed), { ...changed, digest: 'others' }];
    },
  },
  { rule: 'misdirected', what: 'to a stranger', endpoint: 'stranger', plant: again('slow', () => ({ endpoint: 'stranger' })) },
  {
    rule: 'over_limit',
    what: 'two at once',
    endpoint: 'narrow',
    plant: again('narrow', ({ at }) => ({ at: at + 1, status: 500 })),
  },
  { rule: 'over_limit', what: 'two in a second', endpoint: 'slow', plant: again('slow', ({ at }) => ({ at: at + 1 })) },
  {
    rule: 'over_limit',
    what: 'before its time',
    endpoint: 'narrow',
    plant: again('narrow', () => ({ at: beganMs - skewMs - 1, ended: beganMs - skewMs, status: 500 })),
  },
  {
    rule: 'late',
    what: 'by a millisecond',
    endpoint: 'slow',
    plant: (lines) => {
      const tookMs = takenOf(lines, 'slow').at - beganMs;
      return lines.map((line) =>
        line.kind === 'endpoint' && line.endpoint === 'slow' ? { ...line, within_ms: tookMs - 1 } : line,
      );
    },
  },
];

test('a correct history breaks no rule', () => {
  forAll(100, [correct], (lines) => {
    expect(check(lines)).toMatchObject({ findings: [], counts: { lines: lines.length } });
  });
});

test.each(defects)('what is $rule ($what) is found, and nothing else', ({ rule, endpoint, plant }) => {
  forAll(100, [correct], (lines) => {
    const { findings } = check(plant(lines));
    expect(new Set(findings.map((one) => `${one.rule} at ${one.endpoint}`))).toEqual(new Set([`${rule} at ${endpoint}`]));
    expect(findings.map(({ event, text }) => `${event} ${text}`).join()).toContain('sale-0');
  });
});

test('there is a defect for each rule', () => {
  expect(rules.filter((rule) => !defects.some((defect) => defect.rule === rule))).toEqual([]);
});
