import { expect, test } from 'vitest';
import { newId } from '../../gateway/base/ids.ts';
import { MemoryStore } from '../../gateway/store/memory/store.ts';
import type { Received } from '../history/line.ts';
import { Faults, faultKinds } from './faults.ts';
import { brokenRules } from './history.ts';
import type { Broken } from './invariants.ts';
import { knownDefectOf } from './known.ts';
import { type Plan, planOf } from './plan.ts';
import measured from './planted.json' with { type: 'json' };
import { planted } from './planted.ts';
import { streamsOf } from './random.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import { possible, rareIn } from './vocabulary.ts';
import { World } from './world.ts';

test('one seed gives one trace, and another one another', async () => {
  const [one, again, other] = [await simulate(planOf(3)), await simulate(planOf(3)), await simulate(planOf(2))];
  expect(again.trace).toBe(one.trace);
  expect(other.trace).not.toBe(one.trace);
});

/** A story without ids, which have random digits. */
const masked = (story: readonly string[]) => story.map((line) => line.replaceAll(/[a-z]+_[0-9a-f]{32}/g, 'id'));

test('ids that are drawn elsewhere change nothing but ids', async () => {
  const rows = new MemoryStore();
  const list = rows.list.bind(rows);
  rows.list = ((...given: Parameters<typeof list>) => {
    newId('new');
    return list(...given);
  }) as typeof list;
  const [one, other] = [await simulate(planOf(3)), await simulate(planOf(3), rows)];
  expect(other.trace).not.toBe(one.trace);
  expect(masked(other.story)).toEqual(masked(one.story));
});

test('a draw moves no other stream of its seed, and no other port of its fault', () => {
  const drawn = (more: boolean) => {
    const { random } = new World(7, 0);
    const faults = new Faults(random, ['lost call', 'lost answer'], () => {});
    if (more) {
      random('jitter of gateway-1').fraction();
      faults.happens('lost call', 'store of gateway-1', 0.5);
    }
    const ports = ['queue of gateway-1', 'store of gateway-2'];
    return [
      ...['ids', 'jitter of gateway-2', 'reader 1'].map((name) => random(name).uint32()),
      ...ports.map((port) => Array.from({ length: 20 }, () => faults.happens('lost call', port, 0.5))),
      Array.from({ length: 20 }, () => faults.happens('lost answer', 'store of gateway-1', 0.5)),
    ];
  };
  expect(drawn(true)).toEqual(drawn(false));
});

test('the draws of a name differ from seed to seed, and from name to name', () => {
  const names = ['ids', 'jitter of gateway-1', 'jitter of gateway-2'];
  const drawn = Array.from({ length: 1000 }, (_, seed) => names.map((name) => streamsOf(seed)(name).uint32())).flat();
  expect(new Set(drawn).size).toBe(drawn.length);
});

test('a request that is left out of a history is missed', async () => {
  const { history } = await simulate(planOf(3));
  const taken = history.find((line) => line.kind === 'received' && line.status === 200);
  const others = history.filter((line) => line.kind !== 'received' || line.event !== (taken as Received).event);
  expect(brokenRules(history)).toEqual([]);
  expect(brokenRules(others).map(({ invariant }) => invariant)).toContain('the history has nothing that is lost');
});

// `npm run simulate` plays more of them, and searches the planted mistakes.
test('nothing is lost, doubled, reordered or stuck', async () => {
  for (let seed = 1; seed <= 5; seed++)
    expect({ seed, broken: (await simulate(planOf(seed))).broken }).toEqual({ seed, broken: [] });
});

test('a word that happened in few seeds is rare', () => {
  const seedsWith = new Map(possible.map((what) => [what, 10]));
  expect(rareIn(seedsWith, 1000)).toEqual([]);
  seedsWith.set('transition again', 9);
  seedsWith.delete('transition unblock');
  expect(rareIn(seedsWith, 1000)).toEqual([
    ['transition unblock', 0],
    ['transition again', 9],
  ]);
});

test('a run is a known defect if that explains all that broke', () => {
  const late = { invariant: 'what is due is attempted soon after the faults', saw: /is due since/ } as const;
  const known = [{ name: 'late', story: '', breaks: [late], seeds: [], status: '' }];
  const one: Broken = { invariant: late.invariant, saw: 'dlv_1 is due since 70 s' };
  const other: Broken = { invariant: 'a recovery ends', saw: 'rcv_1 is running' };
  expect(knownDefectOf([one], known)?.name).toBe('late');
  expect(knownDefectOf([one, other], known)).toBeUndefined();
  expect(knownDefectOf([{ ...one, saw: 'dlv_1 is early' }], known)).toBeUndefined();
});

test('each planted mistake of the gate is found by another invariant, and all mistakes are measured', () => {
  const gate = planted.filter((one) => one.gate);
  expect(new Set(gate.map(({ invariant }) => invariant)).size).toBe(gate.length);
  expect(Object.keys(measured)).toEqual(planted.map(({ mistake }) => mistake));
});

test('a failure is told with as little as it needs', async () => {
  const plan = { ...planOf(3), faults: [...faultKinds] };
  const event = 'evt_1 at ep_1';
  const broken: Broken = { invariant: 'every delivery has an end, and a reason if it failed', saw: 'dlv_1 is pending' };
  /** What needs one of the changes and one fault. */
  const play = async ({ changes, faults }: Plan) => {
    const fails = faults.includes('lost call') && changes.some(({ numbers }) => numbers.includes(300));
    const story = [`1 delivery: dlv_1 of ${event}`, '2 delivery: dlv_2 of evt_2 at ep_1', `3 received: ${event}`, '4 store away'];
    return { trace: '', broken: fails ? [broken] : [], history: [], story, counts: new Map(), simulatedMs: 0 };
  };
  const { plan: least, story } = await shrink(plan, await play(plan), play);
  expect(least).toMatchObject({ gateways: 1, faults: ['lost call'], endpoints: [], troubles: [], actions: [] });
  expect(least.changes.map(({ numbers }) => numbers[0])).toEqual([300]);
  expect(story).toEqual([`1 delivery: dlv_1 of ${event}`, `3 received: ${event}`, '4 store away']);
});
