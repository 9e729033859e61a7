import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { collectDefaultMetrics } from 'prom-client';
import { SettingsError } from './base/errors.ts';
import { closeFeatures } from './base/features.ts';
import { urlsOfHosts } from './base/hosts.ts';
import { setIdSource } from './base/ids.ts';
import { Keyring } from './base/keyring.ts';
import { type Logger, openLog } from './base/log.ts';
import { didYouMean } from './base/nearest.ts';
import { noTracing } from './base/tracing.ts';
import { startGateway } from './gateway.ts';
import { announceProcess } from './manage/processes/presence.ts';
import { allowsLoopbackDelivery, isScale, readSettings, type Settings, settings, settingsHelp } from './start/config.ts';
import { masterKey, takeDataFolder } from './start/data-folder.ts';
import { decideDemo, demoCredentials, makeDemo } from './start/demo.ts';
import { greetingOf, readableGreeting } from './start/greeting.ts';
import { checkMasterKey, isMasterKey, type OwnKey, replaceMasterKey } from './start/key-check.ts';
import type { Telemetry } from './start/open-telemetry.ts';
import { openEmbedded, openScale, type Tier } from './start/tiers.ts';
import { transportOf, warnOfExpiry } from './start/tls.ts';
import { startWarnings, warnOfDemo } from './start/warnings.ts';
import { tellOutages } from './store/outage.ts';

export interface StartOptions {
  json?: boolean | undefined;
  /** False is the same as DEMO=off. */
  demo?: boolean | undefined;
  role?: string | undefined;
  migrateOnly?: boolean | undefined;
  /** Only makes this master key the database's. */
  replaceKey?: boolean | undefined;
}

const help = `Usage: npm start -- [options]

Runs the gateway. Without DATABASE_URL and REDIS_URL it runs on the embedded tier: everything is in this process and in
DATA_DIR. With them it runs on the scale tier, as one of many processes.

Options
  --json       print the greeting as one line of JSON on standard output
  --no-demo    no demo data and no demo credentials (DEMO=off)
  --role ROLE  api, worker or all: the role of this process on the scale tier (ROLE)
  --migrate-only
               migrate the database and end, before processes of a new version start
  --replace-key
               accept this master key in place of one that is lost or has leaked, and end
  --help       show this

Examples
  npm start
  PORT=0 DATA_DIR=/tmp/passerelle npm --silent start -- --json
  HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem npm start -- --no-demo
  DATABASE_URL=postgres://... REDIS_URL=redis://... SECRET_KEY=$(cat secret.key) npm start -- --role worker

Settings (environment)
${settingsHelp()}
`;

/** Runs the gateway with the options of the command line. */
export async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(help);
  const [migrateOnly, replaceKey] = [options['migrate-only'], options['replace-key']];
  const defaults = process.env.npm_lifecycle_event === 'start' ? { DEMO: 'new' } : {};
  await runGateway({ ...options, demo: !options['no-demo'], migrateOnly, replaceKey }, defaults);
}

/**
 * Runs the gateway until a signal ends the process. `defaults` are for settings that the environment does not have. Throws a SettingsError
 * for a mistake that the operator can fix.
 */
export async function runGateway(options: StartOptions, defaults: NodeJS.ProcessEnv = {}): Promise<void> {
  const given = readSettings({
    ...defaults,
    ...process.env,
    ...(options.demo === false ? { DEMO: 'off' } : {}),
    ...(options.role === undefined ? {} : { ROLE: options.role }),
  });
  if (options.migrateOnly && !isScale(given))
    throw new SettingsError('--migrate-only needs DATABASE_URL and REDIS_URL. On the embedded tier each start migrates.');
  // A wrong certificate is reported before anything is opened.
  transportOf(given);
  const telemetry = await openTelemetry(given);
  const { log, written } = tellOutages(openLog(given.LOG_LEVEL, telemetry.lines));
  const warnings = startWarnings(process.env);
  if (given.TLS_CERT) warnings.push(...warnOfExpiry(given.TLS_CERT, Date.now(), `TLS_CERT=${given.TLS_CERT}`));
  for (const warning of warnings) log.warn(warning);
  const { own, close, ...tier } = await openTier(given, log);
  const { keys } = own;
  const done = await doOnly(options, given, { ...tier, own });
  if (done !== undefined) {
    await closeFeatures([{ close }, telemetry, tier.queue]);
    process.stdout.write(`${done}\n`);
    return;
  }
  const hasDemo = !isScale(given) && (await decideDemo(tier.store, given));
  const settings: Settings = { ...given, DEMO: hasDemo ? 'on' : 'off' };
  for (const warning of warnOfDemo(settings)) {
    warnings.push(warning);
    log.warn(warning);
  }
  setIdSource({ now: () => tier.clock.now() });
  const operatorToken = settings.OPERATOR_TOKEN ?? `op_${keys.demoCredential('operator token')}`;

  if (hasDemo) await makeDemo(tier.store, tier.clock, keys);
  const gateway = await startGateway({ settings, operatorToken, ...tier, keys, log, tracing: telemetry.tracing });
  collectDefaultMetrics({ register: gateway.metrics.registry });
  telemetry.start?.(gateway.metrics.registry, log);
  const url = await listen(gateway.app, settings);

  const presence = announceProcess({
    store: tier.store,
    clock: tier.clock,
    log,
    role: settings.ROLE,
    isMember: () => isMasterKey(tier.store, keys),
    end: () => process.kill(process.pid, 'SIGTERM'),
    written,
  });
  stopOnSignal(log, () => closeFeatures([{ close }, presence, telemetry, gateway]));
  const greeting = greetingOf(url, operatorToken, hasDemo ? await demoCredentials(tier.store, keys) : undefined);
  const shared = isScale(settings) ? { role: settings.ROLE, tokenGiven: settings.OPERATOR_TOKEN !== undefined } : undefined;
  if (!shared) greeting.durability = settings.DURABILITY;
  const shown = [...warnings, ...notes(settings)];
  process.stdout.write(options.json ? `${JSON.stringify(greeting)}\n` : readableGreeting(greeting, shown, shared));
}

/**
 * Does the work of options that end the start instead of serving, and returns the text to print. Throws a SettingsError if the
 * master key is another one.
 */
async function doOnly(
  { migrateOnly, replaceKey }: StartOptions,
  settings: Settings,
  { store, clock, own }: Pick<Tier, 'store' | 'clock'> & { own: OwnKey },
): Promise<string | undefined> {
  if (replaceKey) return replaceMasterKey(store, own, clock.now());
  await checkMasterKey(store, own, clock.now());
  if (!migrateOnly) return undefined;
  const places = urlsOfHosts(settings.DATABASE_URL as string).map((one) => new URL(one));
  return `The database at ${places.map(({ host, pathname }) => host + pathname).join(', ')} is migrated.`;
}

async function openTier(settings: Settings, log: Logger): Promise<Tier & { own: OwnKey }> {
  if (isScale(settings)) {
    const keys = new Keyring(Buffer.from(settings.SECRET_KEY, 'hex'));
    return { ...(await openScale(settings, log)), own: { keys, source: 'SECRET_KEY' } };
  }
  const folder = takeDataFolder(settings.DATA_DIR);
  if (folder.tightened) log.warn(folder.tightened);
  const { key, ...master } = masterKey(folder, settings.SECRET_KEY);
  const tier = await openEmbedded(folder.databasePath, settings, log);
  const close = async () => {
    await tier.close();
    folder.release();
  };
  return { ...tier, own: { ...master, keys: new Keyring(key) }, close };
}

/** OpenTelemetry's libraries are loaded only if they are used. */
async function openTelemetry(settings: Settings): Promise<Telemetry> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = settings;
  if ((all ?? traces) === undefined) return { tracing: noTracing, close: async () => {} };
  return (await import('./start/open-telemetry.ts')).openTelemetry({ tracesOnly: all === undefined });
}

const flag = { type: 'boolean' } as const;
const knownOptions = {
  json: flag,
  'no-demo': flag,
  'migrate-only': flag,
  'replace-key': flag,
  role: { type: 'string' },
  help: { ...flag, short: 'h' },
} as const;

function readOptions() {
  try {
    return parseArgs({ options: knownOptions, allowPositionals: false }).values;
  } catch (error) {
    const { message } = error as Error;
    const unknown = /^Unknown option '--([\w-]+)/.exec(message)?.[1];
    const hint = unknown === undefined ? '' : hintFor(unknown);
    throw new SettingsError(`${message.replace(/\.$/, '')}. ${hint}See npm start -- --help.`);
  }
}

/** Most settings are variables, and no options. */
function hintFor(option: string): string {
  const name = option.toUpperCase().replaceAll('-', '_');
  if (Object.hasOwn(settings, name)) return `Set it as a variable: ${name}=... npm start. `;
  return didYouMean(option, Object.keys(knownOptions), (known) => `--${known}`);
}

const survived = {
  disk: 'Acknowledged changes are on the disk (DURABILITY=disk).',
  process: 'A power cut may lose acknowledged changes (DURABILITY=process).',
};

const notes = (settings: Settings): string[] =>
  [
    settings.SECRET_KEY === undefined
      ? `The master key is in ${resolve(settings.DATA_DIR)}/master.key. Keep it safe, and back it up with the data.`
      : undefined,
    isScale(settings) ? undefined : survived[settings.DURABILITY],
    allowsLoopbackDelivery(settings)
      ? 'Webhooks may go to this machine (WEBHOOK_LOOPBACK). This is for development only.'
      : undefined,
  ].filter((note) => note !== undefined);

async function listen(app: Awaited<ReturnType<typeof startGateway>>['app'], settings: Settings): Promise<string> {
  try {
    // Fastify's line would stand before the greeting, which has the address.
    app.log.info = () => {};
    await app.listen({ host: settings.HOST, port: settings.PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new SettingsError(
        `PORT=${settings.PORT} on ${settings.HOST} is taken. Stop what runs there, or set PORT to another port (0 takes any free one).`,
      );
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new SettingsError(`Cannot listen on ${settings.HOST}:${settings.PORT}: ${message}.`);
    throw error;
  } finally {
    Reflect.deleteProperty(app.log, 'info');
  }
  const { port } = app.addresses()[0] as { port: number };
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  return `${settings.TLS_CERT === undefined ? 'http' : 'https'}://${host}:${port}`;
}

/** A program that starts the gateway may pass on a signal that the terminal sent to both. Signals this close together count as one. */
const sameSignalWithinMs = 200;

/** Stops gracefully on the first signal: finishes what runs and stores what waits. A second signal ends the process at once. */
function stopOnSignal(log: Logger, close: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined;
  // Ctrl-C, or a supervisor, signals npm and the gateway. `npm start` then passes its own on: on a busy machine long afterwards.
  let copyExpected = process.env.npm_lifecycle_event === 'start';
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (!copyExpected && performance.now() - stoppingSinceMs > sameSignalWithinMs) process.exit(1);
      copyExpected = false;
      return;
    }
    stoppingSinceMs = performance.now();
    log.info({ signal }, 'gateway.stopping');
    try {
      await close();
      process.exit(0);
    } catch (error) {
      log.fatal({ err: error }, 'gateway.stop_failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Ends a process that could not start: with exit code 2 for a wrong setting, 1 for any other error. */
export function endFailed(error: unknown): never {
  // The operator can fix a wrong setting from one line. Any other error is a bug, and needs its stack trace.
  process.stderr.write(
    error instanceof SettingsError ? `passerelle: ${error.message}\n` : `passerelle: ${(error as Error).stack}\n`,
  );
  process.exit(error instanceof SettingsError ? 2 : 1);
}
