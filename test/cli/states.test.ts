import { expect, test } from 'vitest';
import { statesCommand } from '../../cli/states.ts';
import { states } from '../../contracts/tools/states/register.ts';
import { runCommand } from '../program.ts';

const list = (args: string[]) => runCommand(statesCommand(), args);

test('every provider state is listed, as text and as JSON', async () => {
  const text = await list([]);
  const json = JSON.parse((await list(['--json'])).stdout) as { provider: string; state: string }[];
  for (const [provider, all] of Object.entries(states)) {
    for (const { name } of all) expect(text.stdout).toContain(`  ${name}`);
    expect(json.filter((one) => one.provider === provider).map(({ state }) => state)).toEqual(all.map(({ name }) => name));
  }
});

test('a state shows its parameters, what it returns, and the event that it causes', async () => {
  expect((await list(['--search', 'WITHOUT the ability'])).stdout).toContain('takes ability!; returns token, structure_id');
  expect((await list(['--search', 'a sale was completed'])).stdout).toContain('causes sale.completed');
  const [store] = JSON.parse((await list(['pos', '--search', 'a store', '--json'])).stdout);
  expect(store).toMatchObject({ params: { store_id: { type: 'string', default: 'STORE-1' } }, required: [] });
});

test('an unknown API, and words that no state has, are errors', async () => {
  expect((await list(['till'])).code).toBe(2);
  expect(await list(['--search', 'no-such-word'])).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse((await list(['--search', 'no-such-word', '--json'])).stdout)).toEqual([]);
});
