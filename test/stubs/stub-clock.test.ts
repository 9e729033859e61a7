import { expect, test } from 'vitest';
import { StubClock } from '../../stubs/clock.ts';

const start = Date.UTC(2026, 2, 1, 8);
const settled = async () => {};

test('advancing runs each task at its own time, in order', async () => {
  const clock = new StubClock(start);
  const ran: [string, number][] = [];
  const run = (name: string) => () => ran.push([name, clock.now() - start]);
  clock.after(3000, run('third'));
  clock.after(1000, () => {
    run('first')();
    clock.after(1000, run('second'));
  });
  clock.after(500, run('cancelled'))();
  await clock.advance(2500, settled);
  expect(ran).toEqual([
    ['first', 1000],
    ['second', 2000],
  ]);
  expect(clock.now() - start).toBe(2500);
});

test('advancing waits for everything a task started before it runs the next', async () => {
  const clock = new StubClock(start);
  const events: string[] = [];
  let work: Promise<void> = Promise.resolve();
  clock.after(1000, () => {
    work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void events.push('first ended'));
  });
  clock.after(1000, () => events.push('second began'));
  await clock.advance(1000, () => work);
  expect(events).toEqual(['first ended', 'second began']);
});

test.each([
  ['that stands still', start],
  ['that runs', undefined],
])('on a clock %s, waiting tasks keep their remaining delay after a reset', async (_name, startMs) => {
  const clock = new StubClock(startMs);
  let ran = false;
  clock.after(3_600_000, () => {
    ran = true;
  });
  await clock.advance(3_000_000, settled);
  clock.reset();
  await clock.advance(500_000, settled);
  expect(ran).toBe(false);
  await clock.advance(100_000, settled);
  expect(ran).toBe(true);
  clock.close();
});

test('two advances run one after the other', async () => {
  const clock = new StubClock(start);
  await Promise.all([clock.advance(1000, settled), clock.advance(1000, settled)]);
  expect(clock.now() - start).toBe(2000);
});

test('a closed clock runs nothing more', async () => {
  const clock = new StubClock(start);
  let ran = false;
  clock.after(1000, () => {
    ran = true;
  });
  clock.close();
  await clock.advance(2000, settled);
  expect(ran).toBe(false);
});
