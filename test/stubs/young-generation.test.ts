import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { withoutGrowth } from './stubs/young-generation.ts';
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  const kept = [];
  const keepObjects = async () => { for (let at = 0; at < 500_000; at++) kept.push({ at, of: [at] }); };
  const atFirst = size();
  await withoutGrowth(keepObjects);
  const held = size();
  await withoutGrowth(async () => { throw new Error('refused'); }).catch(() => {});
  await keepObjects();
  console.log(JSON.stringify({ held: held / atFirst, free: size() / atFirst, kept: kept.length }));
`;

/** Without the function, the space has its full size at once. V8's collectors are in one thread: several add pages on a busy machine. */
test("V8's young generation does not grow during a start, and grows afterwards", async () => {
  const args = ['--single-threaded-gc', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: new URL('../..', import.meta.url) });
  const { held, free, kept } = JSON.parse(stdout) as { held: number; free: number; kept: number };
  expect(kept).toBe(1_000_000);
  expect(held).toBeLessThanOrEqual(free / 2);
  expect(free).toBeGreaterThanOrEqual(8);
});
