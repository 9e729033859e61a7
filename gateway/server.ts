import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { collectDefaultMetrics } from 'prom-client';
import { SettingsError } from './base/errors.ts';
import { closeFeatures } from './base/features.ts';
import { setIdSource } from './base/ids.ts';
import { Keyring } from './base/keyring.ts';
import { type Logger, openLog } from './base/log.ts';
import { didYouMean } from './base/nearest.ts';
import { noTracing, type Tracing } from './base/tracing.ts';
import { startGateway } from './gateway.ts';
import { allowsLoopbackDelivery, isScale, readSettings, type Settings, settings, settingsHelp } from './start/config.ts';
import { masterKey, takeDataFolder } from './start/data-folder.ts';
import { demoCredentials, makeDemo } from './start/demo.ts';
import { greetingOf, readableGreeting } from './start/greeting.ts';
import { openEmbedded, openScale, type Tier } from './start/tiers.ts';
import { transportOf } from './start/tls.ts';
import { startWarnings } from './start/warnings.ts';

/** The options of a start beside the settings. */
export interface StartOptions {
  json?: boolean | undefined;
  /** False is the same as DEMO=off. */
  demo?: boolean | undefined;
  role?: string | undefined;
}

const help = `Usage: npm start -- [options]

Runs the gateway. Without DATABASE_URL and REDIS_URL it runs on the embedded tier: everything is in this process and in
DATA_DIR. With them it runs on the scale tier, as one of many processes.

Options
  --json       print the greeting as one line of JSON on standard output
  --no-demo    no demo data and no demo credentials (DEMO=off)
  --role ROLE  api, worker or all: the role of this process on the scale tier (ROLE)
  --help       show this

Examples
  npm start
  PORT=0 DATA_DIR=/tmp/passerelle npm --silent start -- --json
  HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem npm start -- --no-demo
  DATABASE_URL=postgres://... REDIS_URL=redis://... SECRET_KEY=$(cat secret.key) npm start -- --role worker

Settings (environment)
${settingsHelp()}
`;

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(help);
  await runGateway({ ...options, demo: !options['no-demo'] });
}

/** Runs the gateway until a signal ends the process. Throws a SettingsError for a mistake that the operator can fix. */
export async function runGateway(options: StartOptions): Promise<void> {
  const settings = readSettings({
    ...process.env,
    ...(options.demo === false ? { DEMO: 'off' } : {}),
    ...(options.role === undefined ? {} : { ROLE: options.role }),
  });
  // A wrong certificate is reported before anything is opened.
  transportOf(settings);
  const log = openLog(settings.LOG_LEVEL);
  const warnings = startWarnings(settings, process.env, Date.now());
  for (const warning of warnings) log.warn(warning);
  const { keys, close, ...tier } = await openTier(settings, log);
  setIdSource({ now: () => tier.clock.now() });
  const operatorToken = settings.OPERATOR_TOKEN ?? `op_${keys.demoCredential('operator token')}`;

  if (settings.DEMO) await makeDemo(tier.store, tier.clock, keys);
  const { upgraded, ...opened } = tier;
  const tracing = await openTracing(settings);
  const gateway = await startGateway({ settings, operatorToken, ...opened, keys, log, tracing });
  collectDefaultMetrics({ register: gateway.metrics.registry });
  const url = await listen(gateway.app, settings);

  stopOnSignal(log, () => closeFeatures([{ close }, tracing, gateway]));
  const greeting = greetingOf(url, operatorToken, settings.DEMO ? await demoCredentials(tier.store, keys) : undefined);
  const shared = isScale(settings) ? { role: settings.ROLE, tokenGiven: settings.OPERATOR_TOKEN !== undefined } : undefined;
  if (upgraded) greeting.upgraded = upgraded;
  if (!shared) greeting.durability = settings.DURABILITY;
  const shown = [...warnings, ...notes(settings, upgraded)];
  process.stdout.write(options.json ? `${JSON.stringify(greeting)}\n` : readableGreeting(greeting, shown, shared));
}

async function openTier(settings: Settings, log: Logger): Promise<Tier & { keys: Keyring }> {
  if (isScale(settings))
    return { ...(await openScale(settings, log)), keys: new Keyring(Buffer.from(settings.SECRET_KEY, 'hex')) };
  const folder = takeDataFolder(settings.DATA_DIR);
  if (folder.tightened) log.warn(folder.tightened);
  const keys = new Keyring(masterKey(folder, settings.SECRET_KEY));
  const tier = await openEmbedded(folder.databasePath, settings, log);
  const close = async () => {
    await tier.close();
    folder.release();
  };
  return { ...tier, keys, close };
}

/** OpenTelemetry's libraries are loaded only if they are used. */
async function openTracing(settings: Settings): Promise<Tracing> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return noTracing;
  const { openTelemetry } = await import('./start/open-telemetry.ts');
  return openTelemetry(settings);
}

const flag = { type: 'boolean' } as const;
const knownOptions = { json: flag, 'no-demo': flag, role: { type: 'string' }, help: { ...flag, short: 'h' } } as const;

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

function notes(settings: Settings, upgraded: Tier['upgraded']): string[] {
  return [
    upgraded && `Upgraded ${upgraded.calls} calls and ${upgraded.attempts} attempts in ${upgraded.seconds} s.`,
    settings.SECRET_KEY === undefined
      ? `The master key is in ${resolve(settings.DATA_DIR)}/master.key. Keep it safe, and back it up with the data.`
      : undefined,
    isScale(settings) ? undefined : survived[settings.DURABILITY],
    allowsLoopbackDelivery(settings)
      ? 'Webhooks may go to this machine (WEBHOOK_LOOPBACK). This is for development only.'
      : undefined,
  ].filter((note) => note !== undefined);
}

async function listen(app: Awaited<ReturnType<typeof startGateway>>['app'], settings: Settings): Promise<string> {
  try {
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
  }
  const { port } = app.addresses()[0] as { port: number };
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  return `${settings.TLS_CERT === undefined ? 'http' : 'https'}://${host}:${port}`;
}

/** Ctrl-C under npm arrives twice: from the terminal and from npm. Signals this close together count as one. */
const sameSignalWithinMs = 200;

/** Stops gracefully on the first signal: finishes what runs and stores what waits. A second signal ends the process at once. */
function stopOnSignal(log: Logger, close: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined;
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > sameSignalWithinMs) process.exit(1);
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

if (import.meta.main) main().catch(endFailed);
