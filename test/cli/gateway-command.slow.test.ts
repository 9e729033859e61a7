import { expect, test } from 'vitest';
import { settings } from '../../gateway/start/config.ts';
import { passerelle } from '../program.ts';

const run = (args: string[], env: Record<string, string> = {}) => passerelle(['gateway', ...args], { env });

test('its help shows examples and every setting', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('passerelle gateway --no-demo');
  for (const name of Object.keys(settings)) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
});

test.each<[string[], Record<string, string>, string]>([
  [[], { PORT: 'eighty' }, 'passerelle: PORT=eighty cannot be used: must be a whole number.\n'],
  [['--role', 'worker'], {}, 'passerelle: ROLE=worker needs DATABASE_URL and REDIS_URL'],
  [['--rôle', 'api'], {}, "error: unknown option '--rôle'"],
])('%j with %j ends with 2 and one line', async (args, env, line) => {
  const { code, stdout, stderr } = await run(args, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(line);
  expect(stderr).not.toContain('    at ');
});
