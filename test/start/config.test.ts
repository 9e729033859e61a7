import { expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { allowsLoopbackDelivery, readSettings } from '../../gateway/start/config.ts';
import { startWarnings, warnOfDemo } from '../../gateway/start/warnings.ts';

test('an empty environment gives the defaults', () => {
  const read = readSettings({});
  expect(read).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', DEMO: 'off', TRUST_PROXY: [], OPERATION_LIMITS: [] });
  expect(allowsLoopbackDelivery(read)).toBe(false);
  expect(allowsLoopbackDelivery(readSettings({ DEMO: 'on' }))).toBe(true);
});

test.each([
  [{ PORT: '80a' }, /^PORT=80a cannot be used: must be a whole number/],
  [{ PORT: '70000' }, /^PORT=70000 cannot be used: must be at most 65535\.$/],
  [{ WEBHOOK_RETRY_SECONDS: '0,5s,300' }, /^WEBHOOK_RETRY_SECONDS=0,5s,300 .*: "5s" is not a whole number of seconds/],
  [{ OPERATOR_TOKEN: 'short' }, /^OPERATOR_TOKEN=\(hidden\) cannot be used/],
  [{ SECRET_KEY: 'abc' }, /^SECRET_KEY=\(hidden\) cannot be used: must be 64/],
  [{ PUBLIC_URL: 'http://till:ge/heim@x' }, /^PUBLIC_URL=\(hidden\) cannot be used: must look like/],
  [{ CORS_ORIGINS: 'till:geheim@x' }, /^CORS_ORIGINS=\(hidden\) cannot be used/],
  [{ TRUST_PROXY: 'everyone' }, /^TRUST_PROXY=everyone cannot be used/],
  [{ OPERATION_LIMITS: 'createSale=many' }, /must look like listIndicators=60\/min/],
  [{ WEBHOOK_ALLOW_NETWORKS: ' , ' }, /^WEBHOOK_ALLOW_NETWORKS= , {2}cannot be used: lists nothing/],
  [{ TLS_CERT: '/some/file' }, /^TLS_CERT and TLS_KEY belong together/],
  [{ HOST: '0.0.0.0' }, /^HOST=0\.0\.0\.0 would serve plain http beyond this machine/],
  [{ DATABASE_URL: 'postgres://x/y' }, /^DATABASE_URL and REDIS_URL belong together, and REDIS_URL is not set/],
  [{ REDIS_URL: 'redis://x' }, /^DATABASE_URL and REDIS_URL belong together, and DATABASE_URL is not set/],
  [{ DATABASE_URL: 'postgres://x/y', REDIS_URL: 'redis://x' }, /^SECRET_KEY is needed with DATABASE_URL.*openssl rand -hex 32/],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    /^\w+=collector:4318 cannot be used: must look like http:\/\/localhost:4318/,
  ],
  [{ DURABILITY: 'dsik' }, /^DURABILITY=dsik cannot be used: must be one of disk, process, not "dsik"\.$/],
  [{ ROLE: 'boss' }, /^ROLE=boss cannot be used/],
  [{ ROLE: 'worker' }, /^ROLE=worker needs DATABASE_URL and REDIS_URL/],
])('a wrong setting is refused in one line: %o', (environment, message) => {
  expect(() => readSettings(environment)).toThrow(SettingsError);
  expect(() => readSettings(environment)).toThrow(message);
});

test.each([
  ['mysql://a:secret@x/y', /: must look like postgres:/],
  ['postgres://a:secret@x', /: must look like postgres:/],
  ['postgres://a:secret@x:1,mysql://y/z', /: must look like postgres:/],
  ['postgres://a:secret@x/y?sslmod=verify-full', / sslmod, .* Did you mean sslmode\?/],
  ['postgres://x,y/z?sslmode=require&channel_binding=require', /the parameter channel_binding, .*Leave it out/],
  ['postgres://x,y/z?target_session_attrs=standby', /has target_session_attrs that lead to a standby/],
  [
    'postgres://a:secret@x/y?sslmode=requir',
    /: has an unknown sslmode\. Did you mean require\? Its values are disable, [^/]*\.$/,
  ],
  ['postgres://x,y/z?sslmode=', /has an unknown sslmode\. Its values are disable,/],
  ['postgres://x/z?ssl=tru', /has an unknown ssl\. Did you mean true\?/],
  ['postgres://x/z?ssl=false', /has an unknown ssl\. Its values are true, 1, 0, no-verify/],
  ['postgres://x/z?sslnegotiation=drect', /has an unknown sslnegotiation\. Did you mean direct\?/],
  ['postgres://x/z?uselibpqcompat=ture', /has an unknown uselibpqcompat\. Did you mean true\?/],
  ['postgres://x/z?target_session_attrs=readwrite', /has an unknown target_session_attrs\. Did you mean read-write\?/],
  ['postgres://x/z?statement_timeout=abc', /has a statement_timeout that is no whole number of milliseconds/],
  ['postgres://x/z?query_timeout=5s', /has a query_timeout that is no whole number of milliseconds/],
  ['postgres://x/z?constructor=1', /has the parameter constructor, which has no effect/],
  ['redis://:secret@x/first', /: must look like redis:/],
  ['redis-sentinel://:secret@x:1,y:2/0', /: names no primary \(\?master=NAME\): must look like redis-sentinel:/],
  ['redis-sentinel://x:1,y:2/0?mastr=z', /\?master=mymaster/],
  ['redis://x:1,y:2/0', /: must look like redis:/],
  ['redis://x:1,y:2/0?master=z', /: must look like redis:/],
  ['redis-sentinel://x/0?master=', /\?master=mymaster/],
  ['redis-sentinel://x/0?sentinel_password=z', /\?master=mymaster/],
  ['redis-sentinel://x/0?master=z&sentinel_user=y', /&sentinel_user=user&sentinel_password=/],
  ['redis-sentinel://x/0?master=z&sentinel_password=', /&sentinel_password=password/],
  ['redis-cluster://:secret@x:1,y:2/1', /redis-cluster:\/\/user:password@/],
  ['redis-cluster://x:1,y:2?master=z', /redis-cluster:\/\/user:password@/],
])('an address that cannot be used is refused in one line, which hides it: %s', (address, message) => {
  const name = address.startsWith('redis') ? 'REDIS_URL' : 'DATABASE_URL';
  const read = () => readSettings({ [name]: address });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(message);
  expect(read).toThrow(new RegExp(`^${name}=\\(hidden\\) cannot be used: [^\n]*$`));
  expect(read).not.toThrow(/:secret@/);
});

test.each([{ ALLOW_PLAIN_HTTP: 'on' }, { TRUST_PROXY: '10.0.0.0/8' }, { TLS_CERT: 'a', TLS_KEY: 'b' }])(
  'beyond loopback it starts with a setting for that: %o',
  (environment) => {
    expect(readSettings({ HOST: '0.0.0.0', ...environment }).HOST).toBe('0.0.0.0');
    expect(allowsLoopbackDelivery(readSettings({ HOST: '0.0.0.0', DEMO: 'on', ...environment }))).toBe(false);
  },
);

test('demo data beyond this machine over plain http are a warning of the start', () => {
  const warnings = (environment: Record<string, string>) =>
    warnOfDemo(readSettings({ HOST: '0.0.0.0', DEMO: 'on', ...environment }));
  expect(warnings({ ALLOW_PLAIN_HTTP: 'on' })).toEqual([expect.stringMatching(/demo accounts are served on HOST=0\.0\.0\.0/)]);
  const withoutDanger: Record<string, string>[] = [
    { ALLOW_PLAIN_HTTP: 'on', DEMO: 'off' },
    { TRUST_PROXY: '10.0.0.0/8' },
    { TLS_CERT: 'a', TLS_KEY: 'b' },
    { HOST: '127.0.0.1' },
  ];
  for (const safe of withoutDanger) expect(warnings(safe), JSON.stringify(safe)).toEqual([]);
});

test.each([
  'redis://:pass@x/1',
  'rediss-sentinel://x:1,y:2/0?master=z&sentinel_password=a+b',
  'redis-sentinel://u:p@x/0?master=z&sentinel_user=y&sentinel_password=p',
  'redis-cluster://x',
  'rediss-cluster://u:p@x:1,y:2/0',
])('Redis may be at %s', (REDIS_URL) => {
  const environment = { DATABASE_URL: 'postgres://x/y', REDIS_URL, SECRET_KEY: '0'.repeat(64) };
  expect(readSettings(environment)).toMatchObject({ REDIS_URL });
});

test.each([
  'sslmode=verify-full&sslrootcert=/etc/ssl/db-ca.pem&sslnegotiation=direct',
  'ssl=true&target_session_attrs=read-write&statement_timeout=5000&application_name=till',
])('PostgreSQL may have %s', (parameters) => {
  const DATABASE_URL = `postgres://a:b@x:1,y:2/z?${parameters}`;
  expect(readSettings({ DATABASE_URL, REDIS_URL: 'redis://x', SECRET_KEY: '0'.repeat(64) })).toMatchObject({ DATABASE_URL });
});

test('with PostgreSQL and Redis there is no demo data, and DEMO=on is refused', () => {
  const scale = {
    DATABASE_URL: 'postgresql://a:b@db:5432/passerelle',
    REDIS_URL: 'rediss://:c@cache/1',
    SECRET_KEY: '0'.repeat(64),
  };
  expect(() => readSettings({ ...scale, DEMO: 'on' })).toThrow('DEMO=on needs the embedded tier');
  const read = readSettings({ ...scale, DEMO: 'new', ROLE: 'api' });
  expect(read).toMatchObject({ DEMO: 'new', ROLE: 'api', REDIS_PREFIX: 'passerelle' });
  expect(allowsLoopbackDelivery(read)).toBe(false);
});

test('operation limits are read with their windows', () => {
  expect(readSettings({ OPERATION_LIMITS: 'createSale=5/s, readMe=60/min' }).OPERATION_LIMITS).toEqual([
    { operation: 'createSale', max: 5, windowMs: 1000 },
    { operation: 'readMe', max: 60, windowMs: 60_000 },
  ]);
});

test('variables that look like misspelt settings are named, without their values', () => {
  const warned = (environment: Record<string, string>) => startWarnings(environment);
  const says = (name: string, nearest: string) => `${name} is not a setting and has no effect. Did you mean ${nearest}?`;
  expect(warned({ MAX_CALL_WAIT: '1', WEBHOOK_ALLOW_NETWORK: '203.0.113.7', SECRETKEY: 'hush', log_level: 'debug' })).toEqual([
    says('MAX_CALL_WAIT', 'MAX_CALL_WAIT_MS'),
    says('WEBHOOK_ALLOW_NETWORK', 'WEBHOOK_ALLOW_NETWORKS'),
    says('SECRETKEY', 'SECRET_KEY'),
    says('log_level', 'LOG_LEVEL'),
  ]);
  const ofOthers = ['PATH', 'HOME', 'HOSTNAME', 'REDIS_PORT', 'OTEL_TRACES_SAMPLER', 'http_proxy', 'PUBLIC_KEY', 'TERM', 'USER'];
  expect(warned(Object.fromEntries([...ofOthers, 'PORT', 'DEMO'].map((name) => [name, '1'])))).toEqual([]);
});
