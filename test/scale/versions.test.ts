import { expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { checkInfo } from '../../gateway/base/redis.ts';
import { requireVersion } from '../../gateway/store/sql/postgres.ts';

const info = (lines: string[]) => `# Server\r\n${lines.join('\r\n')}\r\n`;

test.each([
  ['Redis 6.2', ['redis_version:6.2.0', 'maxmemory_policy:noeviction'], []],
  ['Redis 8', ['redis_version:8.0.1', 'maxmemory_policy:noeviction'], []],
  ['Valkey', ['redis_version:7.2.4', 'server_name:valkey', 'valkey_version:8.1.0', 'maxmemory_policy:noeviction'], []],
  ['one that may evict', ['redis_version:7.4.2', 'maxmemory_policy:allkeys-lru'], ['redis.may_evict']],
])('%s is accepted', (_name, lines, warnings) => {
  const said: string[] = [];
  checkInfo(info(lines), { warn: (_fields: unknown, message?: string) => void said.push(message ?? '') });
  expect(said).toEqual(warnings);
});

test.each([
  ['redis_mode:sentinel', 'REDIS_URL points to a Sentinel. Write redis-sentinel://HOST:PORT/0?master=NAME, or rediss-sentinel.'],
  ['role:slave', 'REDIS_URL points to a replica, which takes no writes.'],
])('a server with %s is named for what it is', (line, message) => {
  expect(() => checkInfo(info(['redis_version:7.2.4', line]), { warn: () => {} })).toThrow(message);
});

test.each(['5.0.14', '6.0.16'])('Redis %s is rejected with a message of one line', (version) => {
  const check = () => checkInfo(info([`redis_version:${version}`]), { warn: () => {} });
  expect(check).toThrow(SettingsError);
  expect(check).toThrow(`REDIS_URL points to Redis ${version}. Redis 6.2 or newer is required.`);
});

test.each(['redis_mode', 'server_mode'])('a node of a cluster, which says so by %s, needs another URL', (name) => {
  const check = (expected: boolean) => checkInfo(info(['redis_version:7.2.4', `${name}:cluster`]), { warn: () => {} }, expected);
  expect(() => check(false)).toThrow('Write redis-cluster:// or rediss-cluster://.');
  check(true);
});

test('PostgreSQL 13 and newer are accepted, older versions rejected with a message of one line', () => {
  for (const number of [130_000, 150_010, 180_001]) requireVersion(number, 'PostgreSQL');
  expect(() => requireVersion(120_022, 'PostgreSQL 12.22')).toThrow(
    new SettingsError('DATABASE_URL points to PostgreSQL 12.22. PostgreSQL 13 or newer is required.'),
  );
});
