import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { blockListOf, isLoopback } from '../base/addresses.ts';
import { unitsMs } from '../base/duration.ts';
import { SettingsError } from '../base/errors.ts';
import { parametersOf, urlsOfHosts } from '../base/hosts.ts';
import { didYouMean } from '../base/nearest.ts';
import { lettersOf } from '../base/secret-names.ts';
import { isOrigin } from '../http/cors.ts';
import { setZodMessages } from '../http/messages.ts';
import { processRoles } from '../store/tables/operating.ts';

/** One setting of the environment: its default as text, its schema, and its description for --help and the documentation. */
interface Setting<S extends z.ZodType> {
  default: string;
  form: () => S;
  does: string;
}

const setting = <S extends z.ZodType>(defaultText: string, form: () => S, does: string): Setting<S> => ({
  default: defaultText,
  form,
  does,
});

const optional = <S extends z.ZodType>(form: S) => z.union([z.literal('').transform(() => undefined), form]);
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));
/** One number of a list. Its message quotes it, because the list has several. */
const secondsOfList = z
  .string()
  .refine((value) => /^[0-9]{1,15}$/.test(value), {
    error: ({ input }) => `${JSON.stringify(input)} is not a whole number of seconds`,
  })
  .pipe(wholeNumber(0, 604_800));
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const list = z.string().transform((value, { addIssue }) => {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length === 0 && value !== '') addIssue('lists nothing: name something, or leave it empty');
  return parts;
});

const address = z
  .string()
  .refine((value) => isIP(value.split('/')[0] ?? '') > 0 && (isIP(value) > 0 || ipaddr.isValidCIDR(value)), {
    error: ({ input }) => `${JSON.stringify(input)} is not an IP address or a range such as 10.0.0.0/8 or fd12:3456::/32`,
  });
const secretText = z
  .string()
  .min(16)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters');
const recordedName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,60}$/, 'must be names of letters, digits, hyphens, underscores and points')
  .refine((name) => lettersOf(name).length >= 3, 'must be names of at least 3 letters or digits');
const rate = z.string().regex(/^[A-Za-z0-9]+=[0-9]{1,9}\/(s|min|h)$/, 'must look like listIndicators=60/min');

const origin = z.string().refine(isOrigin, 'must be origins such as https://app.example.org, without a path, or *');

const isUrl = (value: string, schemes: readonly string[], path: RegExp): boolean => {
  const parsed = URL.parse(value);
  return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== '' && path.test(parsed.pathname);
};

const url = (schemes: readonly string[], path: RegExp, example: string, split = (text: string) => [text]) =>
  z.string().refine((value) => split(value).every((one) => isUrl(one, schemes, path)), `must look like ${example}`);

/** The values that the driver knows. It would ignore others: with a misspelt `sslmode`, it may connect without TLS. */
const databaseChoices: Readonly<Record<string, readonly string[]>> = {
  ssl: ['true', '1', '0', 'no-verify'],
  sslmode: ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
  sslnegotiation: ['postgres', 'direct'],
  uselibpqcompat: ['true', 'false'],
  target_session_attrs: ['any', 'read-write', 'primary'],
};

/** The driver would read `5s` as 5 ms. */
const databaseTimeouts = ['statement_timeout', 'lock_timeout', 'query_timeout', 'idle_in_transaction_session_timeout'];

/** What the driver reads of the URL. */
const databaseParameters = [
  ...Object.keys(databaseChoices),
  ...databaseTimeouts,
  ...['sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name', 'fallback_application_name', 'client_encoding', 'options'],
];

const leadToStandby = ['read-only', 'standby', 'prefer-standby'];

/** Says what is wrong with the parameters of a DATABASE_URL, without their values; undefined if nothing is. */
function wrongParameter(text: string): string | undefined {
  const url = URL.parse(urlsOfHosts(text)[0] as string);
  return Object.entries(url ? parametersOf(url) : {})
    .map(([name, value]) => wrongValue(name, value))
    .find((wrong) => wrong !== undefined);
}

function wrongValue(name: string, value: string): string | undefined {
  if (!databaseParameters.includes(name)) {
    const hint = didYouMean(name, databaseParameters) || 'Leave it out. ';
    return `has the parameter ${name}, which has no effect. ${hint}Parameters are ${databaseParameters.join(', ')}`;
  }
  // Processes write, so another host than the primary is of no use to them.
  if (name === 'target_session_attrs' && leadToStandby.includes(value))
    return 'has target_session_attrs that lead to a standby. The gateway writes, so use read-write, or leave it out';
  if (databaseTimeouts.includes(name) && !/^[0-9]{1,9}$/.test(value))
    return `has a ${name} that is no whole number of milliseconds`;
  const choices = databaseChoices[name] ?? [value];
  return choices.includes(value)
    ? undefined
    : `has an unknown ${name}. ${didYouMean(value, choices)}Its values are ${choices.join(', ')}`;
}

/** A server, Sentinels with the name of the primary, or nodes of a cluster. */
const leadsToRedis = (value: string): boolean => {
  const hosts = urlsOfHosts(value);
  const first = URL.parse(hosts[0] as string);
  const lead = (kind: '' | '-sentinel' | '-cluster', path: RegExp) =>
    hosts.every((one) => isUrl(one, [`redis${kind}:`, `rediss${kind}:`], path));
  const database = /^\/?[0-9]*$/;
  if (first?.search) return namesPrimary(first) && lead('-sentinel', database);
  // A cluster has one database.
  return lead('-cluster', /^\/?0?$/) || (hosts.length === 1 && lead('', database));
};

/** The name of the primary, and perhaps the login of the Sentinels. */
const namesPrimary = (url: URL): boolean => {
  const { master, sentinel_user: user, sentinel_password: password, ...others } = parametersOf(url);
  const isHalf = master === '' || user === '' || password === '' || (user !== undefined && password === undefined);
  return master !== undefined && !isHalf && Object.keys(others).length === 0;
};

const sentinelForm = 'redis-sentinel://user:password@host1:26379,host2:26379/0?master=mymaster';
const clusterForm = 'redis-cluster://user:password@host1:6379,host2:6379';

const sentinelForms = `${sentinelForm} (and &sentinel_user=user&sentinel_password=password if Sentinels ask for them)`;

/** Says what a REDIS_URL must look like. If it begins like one of the kinds, only this kind is shown. */
function redisForm(value: string): string {
  const [, kind, hasPrimary] = /^rediss?-(sentinel|cluster):(?=.*([?&]master=[^&]))?/.exec(value) ?? [];
  if (kind === 'cluster') return `must look like ${clusterForm}`;
  if (kind === 'sentinel') return `${hasPrimary ? '' : 'names no primary (?master=NAME): '}must look like ${sentinelForms}`;
  return `must look like redis://user:password@host:6379/0, with Sentinel like ${sentinelForms}, or with Cluster like ${clusterForm}`;
}

export interface OperationLimit {
  operation: string;
  max: number;
  windowMs: number;
}

function toOperationLimit(text: string): OperationLimit {
  const [operation = '', amount = ''] = text.split('=');
  const [max, unit] = amount.split('/');
  return { operation, max: Number(max), windowMs: unitsMs[unit as keyof typeof unitsMs] };
}

export const settings = {
  PORT: setting('8080', () => wholeNumber(0, 65535), 'Port to listen on. 0 takes any free port.'),
  HOST: setting('127.0.0.1', () => z.string().min(1), 'Address to listen on. Plain http is allowed on loopback only.'),
  PUBLIC_URL: setting(
    '',
    () => optional(url(['http:', 'https:'], /^\/$/, 'https://gateway.example.org')),
    'The address under which people reach this gateway. Alerts link to its console. By default the address it listens on.',
  ),
  CORS_ORIGINS: setting(
    '',
    () => list.pipe(z.array(origin)),
    'Origins whose pages may call the APIs from a browser, comma-separated, such as https://app.example.org. `*` allows every origin. By default none.',
  ),
  DATABASE_URL: setting(
    '',
    () =>
      optional(
        url(['postgres:', 'postgresql:'], /^\/[^/]+$/, 'postgres://user:password@host:5432/database', urlsOfHosts).refine(
          (value) => wrongParameter(value) === undefined,
          { error: ({ input }) => wrongParameter(String(input)) ?? '' },
        ),
      ),
    'PostgreSQL 13 or newer. Of several hosts (`host1:5432,host2:5432`) it uses the one that accepts writes, also after a failover. With REDIS_URL it selects the scale tier, on which any number of processes run, without DATA_DIR and demo data.',
  ),
  REDIS_URL: setting(
    '',
    () => optional(z.string().refine(leadsToRedis, { error: ({ input }) => redisForm(String(input)) })),
    `Redis 6.2 or newer, or Valkey. With Sentinel: \`${sentinelForm}\`. With Cluster: \`${clusterForm}\`. \`rediss\` instead of \`redis\` uses TLS. Holds the queue and the counters of limits on the scale tier.`,
  ),
  ROLE: setting(
    'all',
    () => z.enum(processRoles),
    'Role of this process on the scale tier: `api` serves calls, `worker` makes deliveries, `all` does both. The same as `--role`.',
  ),
  REDIS_PREFIX: setting(
    'passerelle',
    () => z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, hyphens or underscores'),
    'Prefix of the keys in Redis.',
  ),
  DATABASE_CONNECTIONS: setting('10', () => wholeNumber(5, 500), 'Most connections to PostgreSQL that this process opens.'),
  START_WAIT_SECONDS: setting('60', () => wholeNumber(0, 3600), 'How long a start waits for PostgreSQL and Redis.'),
  DATA_DIR: setting(
    './data',
    () => z.string().min(1),
    'Folder of the embedded database and of the generated master key. Only one process can use it at a time.',
  ),
  DURABILITY: setting(
    'disk',
    () => z.enum(['disk', 'process']),
    'What an acknowledged change survives on the embedded tier: `disk` a power cut, `process` only a killed process. With DATABASE_URL, PostgreSQL is configured instead.',
  ),
  DEMO: setting(
    'off',
    () => z.enum(['on', 'off', 'new']),
    'Demo data and credentials on the embedded tier. `on` refuses a data folder with other data. `new`: in a new data folder only, as `npm start` does. `off` is the same as `--no-demo`.',
  ),
  OPERATOR_TOKEN: setting(
    '',
    () => optional(secretText),
    "The operator's token for /manage/v1, 16 to 200 characters. By default it is derived from the master key and printed at start.",
  ),
  METRICS_TOKEN: setting(
    '',
    () => optional(secretText),
    'Bearer token for /metrics, 16 to 200 characters. Callers on this machine need none.',
  ),
  SECRET_KEY: setting(
    '',
    () => optional(z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes)')),
    'The master key, which encrypts signing secrets and signs tokens: 64 hexadecimal digits. By default it is generated and kept in DATA_DIR/master.key.',
  ),
  TLS_CERT: setting(
    '',
    () => optional(z.string()),
    'File of the certificate chain (PEM). With TLS_KEY it turns on https, with HTTP/2 and HTTP/1.1.',
  ),
  TLS_KEY: setting('', () => optional(z.string()), "File of the certificate's private key (PEM)."),
  TRUST_PROXY: setting(
    '',
    () => list.pipe(z.array(address)),
    'Addresses or ranges of reverse proxies, comma-separated. X-Forwarded-For is used only if one of them sent it.',
  ),
  ALLOW_PLAIN_HTTP: setting(
    'off',
    () => onOff,
    'Allows plain http on an address that is not loopback, without TRUST_PROXY. For closed test networks.',
  ),
  BODY_LIMIT_BYTES: setting(
    '262144',
    () => wholeNumber(1024, 16 * 1024 * 1024),
    'Largest request body. Larger ones are refused with 413.',
  ),
  MAX_CALL_WAIT_MS: setting(
    '2000',
    () => wholeNumber(1, 60_000),
    'The longest that a call waits until it is handled. Under overload, calls that would wait longer are refused with 503 and Retry-After.',
  ),
  OPERATION_LIMITS: setting(
    '',
    () => list.pipe(z.array(rate)).transform((rates) => rates.map(toOperationLimit)),
    'Limits on single operations per caller, such as `listIndicators=60/min,createSale=5/s`.',
  ),
  RECORD_BODY_CHARACTERS: setting(
    '8192',
    () => wholeNumber(0, 1_000_000),
    'How much of each request and response body is recorded.',
  ),
  RECORD_SECRET_NAMES: setting(
    '',
    () => list.pipe(z.array(recordedName)),
    'Further names whose values are removed from records and stored answers, such as `iban,card`. Case, hyphens and underscores make no difference, and a longer name that contains one counts too.',
  ),
  CALL_RETENTION_HOURS: setting(
    '720',
    () => wholeNumber(1, 87_600),
    'How long recorded calls are kept. They are removed by whole days (UTC).',
  ),
  ATTEMPT_RETENTION_HOURS: setting(
    '720',
    () => wholeNumber(1, 87_600),
    'How long attempts are kept, and at least until their delivery ended. They are removed with the day (UTC) of their delivery.',
  ),
  DELIVERY_RETENTION_HOURS: setting(
    '2160',
    () => wholeNumber(1, 87_600),
    'How long events are kept with their deliveries and attempts after their last delivery ended.',
  ),
  WEBHOOK_SIGNATURE_HEADER: setting(
    'X-SERVICE-Signature',
    () => z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name'),
    'Header of the signature that the documents describe.',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    () => list.pipe(z.array(secondsOfList).min(1).max(30)),
    'Delay before each attempt of a delivery, the first included.',
  ),
  WEBHOOK_DEADLINE_MS: setting(
    '15000',
    () => wholeNumber(100, 120_000),
    'Deadline of a whole attempt: connecting, headers and body.',
  ),
  WEBHOOK_CONCURRENCY: setting('100', () => wholeNumber(1, 1000), 'Most attempts in flight at once, per process.'),
  WEBHOOK_DISABLE_AFTER_HOURS: setting(
    '120',
    () => wholeNumber(1, 8760),
    'An endpoint is disabled after all its attempts failed for this long.',
  ),
  RECONCILE_SECONDS: setting(
    '10',
    () => wholeNumber(1, 3600),
    'How often to look for deliveries that the queue lost or that a killed worker held.',
  ),
  WEBHOOK_LOOPBACK: setting(
    'auto',
    () => z.enum(['auto', 'on', 'off']),
    'Allows deliveries to loopback addresses, over http and https. `auto` allows them with demo data and HOST on loopback.',
  ),
  WEBHOOK_ALLOW_NETWORKS: setting(
    '',
    () => list.pipe(z.array(address)),
    "Private networks that receivers of the operator's endpoints may be in, over http and https, comma-separated, such as 10.20.0.0/16,fd12:3456::/32. Partners' endpoints, loopback, link-local and metadata addresses stay blocked. By default none.",
  ),
  WEBHOOK_PROXY_URL: setting(
    '',
    () => optional(url(['http:'], /^\/$/, 'http://user:password@proxy.example.org:3128')),
    'Proxy that all webhooks and messages to Slack go through, with CONNECT, such as http://user:password@proxy.example.org:3128. By default none.',
  ),
  LOG_LEVEL: setting(
    'info',
    () => z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    'Log level. Logs go to standard error, as JSON lines, or as readable text on a terminal. `debug` logs every call.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    '',
    () => optional(url(['http:', 'https:'], /./, 'http://localhost:4318')),
    'OpenTelemetry collector that gets traces, metrics and logs (OTLP over HTTP). By default nothing is sent.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(
    '',
    () => optional(url(['http:', 'https:'], /./, 'http://localhost:4318/v1/traces')),
    'Where traces go instead, with the path, such as http://localhost:4318/v1/traces. Alone, it is for what takes traces only, as Jaeger does.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;

export function settingsHelp(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length)) + 2;
  return Object.entries(settings)
    .map(([name, { default: value, does }]) => `  ${name.padEnd(width)}${does}${value ? ` [${value}]` : ''}`)
    .join('\n');
}

type Forms = typeof settings;
export type Settings = { [N in keyof Forms]: z.output<ReturnType<Forms[N]['form']>> };

/** Settings that hold a secret. Error messages do not show them. */
const hidden = new Set(['SECRET_KEY', 'OPERATOR_TOKEN', 'METRICS_TOKEN', 'DATABASE_URL', 'REDIS_URL', 'WEBHOOK_PROXY_URL']);

const names = Object.keys(settings) as (keyof Forms)[];

function readSetting(name: keyof Forms, environment: NodeJS.ProcessEnv): unknown {
  const { default: defaultText, form } = settings[name];
  const given = environment[name] ?? defaultText;
  const parsed = form().safeParse(given);
  if (parsed.success) return parsed.data;
  // An address may have a password, also one that cannot be parsed.
  const shown = hidden.has(name) || /:.*@/s.test(given ?? '') ? '(hidden)' : given;
  throw new SettingsError(`${name}=${shown} cannot be used: ${parsed.error.issues[0]?.message}.`);
}

/** The settings, each of which is read when it is first used. A stub uses few of them. */
export function lateSettings(environment: NodeJS.ProcessEnv): Settings {
  setZodMessages();
  const late = {};
  for (const name of names) {
    const get = () => {
      const value = readSetting(name, environment);
      Object.defineProperty(late, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(late, name, { get, enumerable: true, configurable: true });
  }
  return late as Settings;
}

/** Reads and checks the environment. Throws a SettingsError of one line for the first wrong setting. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  setZodMessages();
  const read = Object.fromEntries(names.map((name) => [name, readSetting(name, environment)])) as Settings;
  checkTogether(read);
  checkTier(read);
  return read;
}

export type ScaleSettings = Settings & { DATABASE_URL: string; REDIS_URL: string; SECRET_KEY: string };

/** Returns true for the scale tier: PostgreSQL and Redis are set. */
export const isScale = (read: Settings): read is ScaleSettings => read.DATABASE_URL !== undefined;

function checkTier(read: Settings): void {
  if ((read.DATABASE_URL === undefined) !== (read.REDIS_URL === undefined))
    throw new SettingsError(
      `DATABASE_URL and REDIS_URL belong together, and ${read.REDIS_URL === undefined ? 'REDIS_URL' : 'DATABASE_URL'} is not set. Set both for the scale tier, or neither to keep everything in DATA_DIR.`,
    );
  if (isScale(read) && read.SECRET_KEY === undefined)
    throw new SettingsError(
      'SECRET_KEY is needed with DATABASE_URL, and must be the same for every process. Generate one with `openssl rand -hex 32`, and keep it safe.',
    );
  if (isScale(read) && read.DEMO === 'on')
    throw new SettingsError('DEMO=on needs the embedded tier: with DATABASE_URL there is no demo data. Remove one of the two.');
  if (!isScale(read) && read.ROLE !== 'all')
    throw new SettingsError(
      `ROLE=${read.ROLE} needs DATABASE_URL and REDIS_URL, because without them one process does everything. Set both, or remove ROLE.`,
    );
}

function checkTogether(read: Settings): void {
  if ((read.TLS_CERT === undefined) !== (read.TLS_KEY === undefined))
    throw new SettingsError('TLS_CERT and TLS_KEY belong together: set both, or neither.');
  if (isPlainBeyondThisMachine(read) && !read.ALLOW_PLAIN_HTTP) {
    throw new SettingsError(
      `HOST=${read.HOST} would serve plain http beyond this machine. Set TLS_CERT and TLS_KEY, or set TRUST_PROXY to the address of your reverse proxy, or set ALLOW_PLAIN_HTTP=on.`,
    );
  }
}

export const isPlainBeyondThisMachine = ({ HOST, TLS_CERT, TRUST_PROXY }: Settings) =>
  !isLoopback(HOST) && TLS_CERT === undefined && TRUST_PROXY.length === 0;

/** Returns the private networks that the operator's webhooks may go to; undefined without any. */
export const allowedNetworks = ({ WEBHOOK_ALLOW_NETWORKS: networks }: Settings): BlockList | undefined =>
  networks.length === 0 ? undefined : blockListOf(networks);

/** Returns true if webhooks may go to loopback addresses. */
export function allowsLoopbackDelivery(read: Settings): boolean {
  if (read.WEBHOOK_LOOPBACK !== 'auto') return read.WEBHOOK_LOOPBACK === 'on';
  return read.DEMO === 'on' && isLoopback(read.HOST);
}
