import { expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { allowsLoopbackDelivery, readSettings, startWarnings } from '../../gateway/start/config.ts';

test('an empty environment gives the defaults', () => {
  const read = readSettings({});
  expect(read).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DEMO: true, TRUST_PROXY: [], OPERATION_LIMITS: [] });
  expect(allowsLoopbackDelivery(read)).toBe(true);
});

test.each([
  [{ PORT: '80a' }, /^PORT=80a cannot be used: must be a whole number/],
  [{ PORT: '70000' }, /^PORT=70000 cannot be used/],
  [{ OPERATOR_TOKEN: 'short' }, /^OPERATOR_TOKEN=\(hidden\) cannot be used/],
  [{ SECRET_KEY: 'abc' }, /^SECRET_KEY=\(hidden\) cannot be used: must be 64/],
  [{ TRUST_PROXY: 'everyone' }, /^TRUST_PROXY=everyone cannot be used/],
  [{ OPERATION_LIMITS: 'createSale=many' }, /must look like listIndicators=60\/min/],
  [{ TLS_CERT: '/some/file' }, /^TLS_CERT and TLS_KEY belong together/],
  [{ HOST: '0.0.0.0' }, /^HOST=0\.0\.0\.0 would serve plain http beyond this machine/],
  [{ DATABASE_URL: 'mysql://a:secret@x/y' }, /^DATABASE_URL=\(hidden\) cannot be used: must look like postgres:/],
  [{ DATABASE_URL: 'postgres://a:secret@x' }, /^DATABASE_URL=\(hidden\) cannot be used/],
  [{ REDIS_URL: 'redis://:secret@x/first' }, /^REDIS_URL=\(hidden\) cannot be used: must look like redis:/],
  [{ DATABASE_URL: 'postgres://x/y' }, /^DATABASE_URL and REDIS_URL belong together, and REDIS_URL is not set/],
  [{ REDIS_URL: 'redis://x' }, /^DATABASE_URL and REDIS_URL belong together, and DATABASE_URL is not set/],
  [{ DATABASE_URL: 'postgres://x/y', REDIS_URL: 'redis://x' }, /^SECRET_KEY is needed with DATABASE_URL.*openssl rand -hex 32/],
  [{ DURABILITY: 'dsik' }, /^DURABILITY=dsik cannot be used: .*"disk"\|"process"/],
  [{ ROLE: 'boss' }, /^ROLE=boss cannot be used/],
  [{ ROLE: 'worker' }, /^ROLE=worker needs DATABASE_URL and REDIS_URL/],
])('a wrong setting is refused in one line: %o', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(SettingsError);
  expect(() => readSettings(environment)).toThrow(message);
});

test.each([{ ALLOW_PLAIN_HTTP: 'on' }, { TRUST_PROXY: '10.0.0.0/8' }, { TLS_CERT: 'a', TLS_KEY: 'b' }])(
  'beyond loopback it starts with a setting for that: %o',
  (environment) => {
    expect(readSettings({ HOST: '0.0.0.0', ...environment }).HOST).toBe('0.0.0.0');
    expect(allowsLoopbackDelivery(readSettings({ HOST: '0.0.0.0', ...environment }))).toBe(false);
  },
);

test('demo data beyond this machine over plain http are a warning of the start', () => {
  const warnings = (environment: Record<string, string>) => startWarnings(readSettings({ HOST: '0.0.0.0', ...environment }));
  expect(warnings({ ALLOW_PLAIN_HTTP: 'on' })).toEqual([expect.stringMatching(/demo accounts are served on HOST=0\.0\.0\.0/)]);
  const withoutDanger: Record<string, string>[] = [
    { ALLOW_PLAIN_HTTP: 'on', DEMO: 'off' },
    { TRUST_PROXY: '10.0.0.0/8' },
    { TLS_CERT: 'a', TLS_KEY: 'b' },
    { HOST: '127.0.0.1' },
  ];
  for (const safe of withoutDanger) expect(warnings(safe), JSON.stringify(safe)).toEqual([]);
});

test('with PostgreSQL and Redis there is no demo data, even with DEMO=on', () => {
  const scale = {
    DATABASE_URL: 'postgresql://a:b@db:5432/passerelle',
    REDIS_URL: 'rediss://:c@cache/1',
    SECRET_KEY: '0'.repeat(64),
  };
  const read = readSettings({ ...scale, DEMO: 'on', ROLE: 'api' });
  expect(read).toMatchObject({ DEMO: false, ROLE: 'api', LIMITS_WITHOUT_REDIS: 'open', REDIS_PREFIX: 'passerelle' });
  expect(allowsLoopbackDelivery(read)).toBe(false);
});

test('operation limits are read with their windows', () => {
  expect(readSettings({ OPERATION_LIMITS: 'createSale=5/s, readMe=60/min' }).OPERATION_LIMITS).toEqual([
    { operation: 'createSale', max: 5, windowMs: 1000 },
    { operation: 'readMe', max: 60, windowMs: 60_000 },
  ]);
});
