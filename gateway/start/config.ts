import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isLoopback } from '../base/addresses.ts';
import { SettingsError } from '../base/errors.ts';

/** One setting: the environment variable, its default as text, its form, and what it does (README and --help show this). */
interface Setting<S extends z.ZodType> {
  default: string;
  form: S;
  does: string;
}

const setting = <S extends z.ZodType>(defaultText: string, form: S, does: string): Setting<S> => ({
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
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const address = z
  .string()
  .refine(
    (value) => isIP(value.split('/')[0] ?? '') > 0 && (isIP(value) > 0 || ipaddr.isValidCIDR(value)),
    'must be IP addresses or ranges such as 10.0.0.0/8',
  );
const rate = z.string().regex(/^[A-Za-z0-9]+=[0-9]{1,9}\/(s|min|h)$/, 'must look like listIndicators=60/min');
const windowsMs = { s: 1000, min: 60_000, h: 3_600_000 } as const;

const url = (schemes: readonly string[], path: RegExp, example: string) =>
  z.string().refine((value) => {
    const parsed = URL.parse(value);
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== '' && path.test(parsed.pathname);
  }, `must look like ${example}`);

export interface OperationLimit {
  operation: string;
  max: number;
  windowMs: number;
}

function toOperationLimit(text: string): OperationLimit {
  const [operation = '', amount = ''] = text.split('=');
  const [max, unit] = amount.split('/');
  return { operation, max: Number(max), windowMs: windowsMs[unit as keyof typeof windowsMs] };
}

export const settings = {
  PORT: setting('8080', wholeNumber(0, 65535), 'Port to listen on; 0 takes any free one.'),
  HOST: setting('127.0.0.1', z.string().min(1), 'Address to listen on. Plain http is for loopback only.'),
  DATABASE_URL: setting(
    '',
    optional(url(['postgres:', 'postgresql:'], /^\/[^/]+$/, 'postgres://user:password@host:5432/database')),
    'PostgreSQL 14 or newer. With REDIS_URL: the scale tier, on which any number of processes run. DATA_DIR and demo data are not used there.',
  ),
  REDIS_URL: setting(
    '',
    optional(url(['redis:', 'rediss:'], /^\/?[0-9]*$/, 'redis://user:password@host:6379/0')),
    'Redis 6.2 or newer, or Valkey: the queue, and the counters of the limits, of the scale tier.',
  ),
  ROLE: setting(
    'all',
    z.enum(['all', 'api', 'worker']),
    'What this process does on the scale tier: `api` serves calls, `worker` makes deliveries (`--role` is the same).',
  ),
  LIMITS_WITHOUT_REDIS: setting(
    'open',
    z.enum(['open', 'closed']),
    'What limited calls get while Redis is away: `open` serves them uncounted, `closed` refuses them with 503.',
  ),
  REDIS_PREFIX: setting(
    'passerelle',
    z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, hyphens or underscores'),
    'What the names of our keys in Redis begin with.',
  ),
  DATABASE_CONNECTIONS: setting('10', wholeNumber(5, 500), 'Connections to PostgreSQL that this process opens at most.'),
  START_WAIT_SECONDS: setting('60', wholeNumber(0, 3600), 'How long a start waits for PostgreSQL and Redis before it gives up.'),
  DATA_DIR: setting(
    './data',
    z.string().min(1),
    'Folder of the embedded database and of the generated master key. One process at a time.',
  ),
  DEMO: setting('on', onOff, 'Demo data and credentials, made on the first start (`--no-demo` is the same as off).'),
  OPERATOR_TOKEN: setting(
    '',
    optional(
      z
        .string()
        .min(16)
        .max(200)
        .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters'),
    ),
    "The operator's token for /manage/v1, 16 characters or more. Without one it is derived from the master key and printed at start.",
  ),
  SESSION_HOURS: setting('12', wholeNumber(1, 168), 'How long a sign-in to the console lasts.'),
  SECRET_KEY: setting(
    '',
    optional(z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits (32 bytes)')),
    'The master key that encrypts signing secrets and signs tokens. Without one it is generated and kept in DATA_DIR/master.key.',
  ),
  TLS_CERT: setting('', optional(z.string()), 'File of the certificate chain (PEM). With TLS_KEY: https, HTTP/2 and HTTP/1.1.'),
  TLS_KEY: setting('', optional(z.string()), "File of the certificate's private key (PEM)."),
  TRUST_PROXY: setting(
    '',
    list.pipe(z.array(address)),
    "Addresses or ranges of the proxies in front, comma-separated: their X-Forwarded-For is believed, nobody else's.",
  ),
  ALLOW_PLAIN_HTTP: setting(
    'off',
    onOff,
    'Serve plain http on an address that is not loopback, with no proxy named. For closed test networks.',
  ),
  BODY_LIMIT_BYTES: setting('262144', wholeNumber(1024, 16 * 1024 * 1024), 'Largest request body; larger ones get 413.'),
  OPERATION_LIMITS: setting(
    '',
    list.pipe(z.array(rate)).transform((rates) => rates.map(toOperationLimit)),
    'Limits on single operations for each caller, such as `listIndicators=60/min,createSale=5/s`.',
  ),
  RECORD_BODY_CHARACTERS: setting('8192', wholeNumber(0, 1_000_000), 'How much of a request and response body a record keeps.'),
  RECORD_BACKLOG_BYTES: setting(
    '67108864',
    wholeNumber(0, 2 ** 31),
    'Memory for records that wait to be written; past it records are dropped and counted.',
  ),
  CALL_RETENTION_HOURS: setting('720', wholeNumber(1, 87_600), 'How long recorded calls are kept.'),
  ATTEMPT_RETENTION_HOURS: setting(
    '720',
    wholeNumber(1, 87_600),
    'How long the evidence of attempts is kept, once their delivery is finished.',
  ),
  DELIVERY_RETENTION_HOURS: setting(
    '2160',
    wholeNumber(1, 87_600),
    'How long events are kept with their deliveries and attempts, counted from when the last delivery finished.',
  ),
  WEBHOOK_SIGNATURE_HEADER: setting(
    'X-SERVICE-Signature',
    z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name'),
    'Header of the signature that the documents describe.',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    '0,5,300,1800,7200,18000,36000,36000',
    list.pipe(z.array(wholeNumber(0, 604_800)).min(1).max(30)),
    'Delay before each attempt of a delivery.',
  ),
  WEBHOOK_DEADLINE_MS: setting(
    '15000',
    wholeNumber(100, 120_000),
    'One deadline for connecting, headers and body of an attempt.',
  ),
  WEBHOOK_CONCURRENCY: setting('100', wholeNumber(1, 1000), 'Attempts in flight at once, in each process that makes them.'),
  WEBHOOK_ENDPOINT_CONCURRENCY: setting(
    '20',
    wholeNumber(1, 1000),
    'Attempts in flight at once at one endpoint, over all processes; an endpoint may have a number of its own.',
  ),
  WEBHOOK_DISABLE_AFTER_HOURS: setting(
    '120',
    wholeNumber(1, 8760),
    'An endpoint that gave nothing but failures for this long is disabled.',
  ),
  RECONCILE_SECONDS: setting(
    '30',
    wholeNumber(1, 3600),
    'How often deliveries that the queue lost, or a killed worker held, are looked for.',
  ),
  WEBHOOK_LOOPBACK: setting(
    'auto',
    z.enum(['auto', 'on', 'off']),
    'Deliver to http and https on loopback addresses. `auto`: only with demo data and HOST on loopback.',
  ),
  LOG_LEVEL: setting(
    'info',
    z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    'What is logged (JSON lines on standard error; readable ones on a terminal). `debug` shows every call.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;

/** The settings as `--help` shows them, a line each. */
export function settingsHelp(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length)) + 2;
  return Object.entries(settings)
    .map(([name, { default: value, does }]) => `  ${name.padEnd(width)}${does}${value ? ` [${value}]` : ''}`)
    .join('\n');
}

type Forms = typeof settings;
export type Settings = { [N in keyof Forms]: z.output<Forms[N]['form']> };

export type Role = Settings['ROLE'];

/** Settings that hold a secret: a refusal does not show them. */
const hidden = new Set(['SECRET_KEY', 'OPERATOR_TOKEN', 'DATABASE_URL', 'REDIS_URL']);

/** Reads and checks the environment. Throws a SettingsError of one line for the first thing that is wrong. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const values: Record<string, unknown> = {};
  for (const [name, { default: defaultText, form }] of Object.entries(settings)) {
    const given = environment[name] ?? defaultText;
    const parsed = form.safeParse(given);
    if (!parsed.success)
      throw new SettingsError(
        `${name}=${hidden.has(name) ? '(hidden)' : given} cannot be used: ${parsed.error.issues[0]?.message}.`,
      );
    values[name] = parsed.data;
  }
  const read = values as Settings;
  checkTogether(read);
  checkTier(read);
  return isScale(read) ? { ...read, DEMO: false } : read;
}

export type ScaleSettings = Settings & { DATABASE_URL: string; REDIS_URL: string; SECRET_KEY: string };

/** Whether PostgreSQL and Redis are given. */
export function isScale(read: Settings): read is ScaleSettings {
  return read.DATABASE_URL !== undefined;
}

function checkTier(read: Settings): void {
  if ((read.DATABASE_URL === undefined) !== (read.REDIS_URL === undefined))
    throw new SettingsError(
      `DATABASE_URL and REDIS_URL belong together, and ${read.REDIS_URL === undefined ? 'REDIS_URL' : 'DATABASE_URL'} is not set. Set both to run on many machines, or neither to keep everything in DATA_DIR.`,
    );
  if (isScale(read) && read.SECRET_KEY === undefined)
    throw new SettingsError(
      'SECRET_KEY is needed with DATABASE_URL, the same for every process. Make one with `openssl rand -hex 32`, once, and keep it safe.',
    );
  if (!isScale(read) && read.ROLE !== 'all')
    throw new SettingsError(
      `ROLE=${read.ROLE} needs DATABASE_URL and REDIS_URL: without them one process does everything. Set both, or leave ROLE out.`,
    );
}

function checkTogether(read: Settings): void {
  if ((read.TLS_CERT === undefined) !== (read.TLS_KEY === undefined))
    throw new SettingsError('TLS_CERT and TLS_KEY belong together: set both, or neither.');
  const open = !isLoopback(read.HOST) && read.TLS_CERT === undefined && read.TRUST_PROXY.length === 0 && !read.ALLOW_PLAIN_HTTP;
  if (open) {
    throw new SettingsError(
      `HOST=${read.HOST} would serve plain http beyond this machine. Set TLS_CERT and TLS_KEY, or name the proxy in front in TRUST_PROXY, or say ALLOW_PLAIN_HTTP=on.`,
    );
  }
}

/** Whether webhooks may go to this machine itself. */
export function allowsLoopbackDelivery(read: Settings): boolean {
  if (read.WEBHOOK_LOOPBACK !== 'auto') return read.WEBHOOK_LOOPBACK === 'on';
  return read.DEMO && isLoopback(read.HOST);
}
