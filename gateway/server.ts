import { parseArgs } from 'node:util';
import { collectDefaultMetrics } from 'prom-client';
import { systemClock } from './clock.ts';
import { allowsLoopbackDelivery, readSettings, type Settings, settings as settingsTable } from './config.ts';
import { masterKey, takeDataFolder } from './datafolder.ts';
import { demoCredentials, makeDemo } from './demo.ts';
import { SettingsError } from './errors.ts';
import { startGateway } from './gateway.ts';
import { greetingOf, readableGreeting } from './greeting.ts';
import { Keyring } from './keyring.ts';
import { type Logger, openLog } from './log.ts';
import { openEmbedded } from './tiers.ts';

const help = `Usage: npm start -- [options]

Runs the gateway on its embedded tier: everything in this process and in DATA_DIR.

Options
  --json       print the greeting as one line of JSON on standard output
  --no-demo    no demo data and no demo credentials (DEMO=off)
  --help       show this

Examples
  npm start
  PORT=0 DATA_DIR=/tmp/passerelle npm --silent start -- --json
  HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem npm start -- --no-demo

Settings (environment)
${Object.entries(settingsTable)
  .map(([name, { default: value, does }]) => `  ${name.padEnd(26)}${does}${value ? ` [${value}]` : ''}`)
  .join('\n')}
`;

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(help);
  const settings = readSettings({ ...process.env, ...(options['no-demo'] ? { DEMO: 'off' } : {}) });
  const log = openLog(settings.LOG_LEVEL);
  const folder = takeDataFolder(settings.DATA_DIR);
  const keys = new Keyring(masterKey(folder, settings.SECRET_KEY));
  const operatorToken = settings.OPERATOR_TOKEN ?? `op_${keys.demoCredential('operator token')}`;

  // Whoever supervises the process starts it again; what was acknowledged is on disk.
  const { store, queue } = await openEmbedded(folder.databasePath, settings, log, () => process.exit(1));
  if (settings.DEMO) await makeDemo(store, systemClock, keys);
  const gateway = await startGateway({ settings, operatorToken, store, queue, keys, log, clock: systemClock });
  collectDefaultMetrics({ register: gateway.metrics.registry });
  const url = await listen(gateway.app, settings);

  stopOnSignal(log, async () => {
    await gateway.close();
    await store.close();
    folder.release();
  });
  const greeting = greetingOf(url, operatorToken, settings.DEMO ? await demoCredentials(store, keys) : undefined);
  process.stdout.write(options.json ? `${JSON.stringify(greeting)}\n` : readableGreeting(greeting, notes(settings, folder.path)));
}

function readOptions() {
  try {
    const options = { json: { type: 'boolean' }, 'no-demo': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ options, allowPositionals: false }).values;
  } catch (error) {
    throw new SettingsError(`${(error as Error).message.replace(/\.$/, '')}. See npm start -- --help.`);
  }
}

function notes(settings: Settings, folder: string): string[] {
  return [
    settings.SECRET_KEY === undefined
      ? `The master key is in ${folder}/master.key: keep it safe, and back it up with the data.`
      : undefined,
    allowsLoopbackDelivery(settings) ? 'Webhooks may go to this machine (WEBHOOK_LOOPBACK): for development only.' : undefined,
  ].filter((note) => note !== undefined);
}

async function listen(app: Awaited<ReturnType<typeof startGateway>>['app'], settings: Settings): Promise<string> {
  try {
    await app.listen({ host: settings.HOST, port: settings.PORT });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new SettingsError(
        `PORT=${settings.PORT} on ${settings.HOST} is taken. Stop what runs there, or set PORT to another one (0 takes any free one).`,
      );
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new SettingsError(`Cannot listen on ${settings.HOST}:${settings.PORT}: ${message}.`);
    throw error;
  }
  const { port } = app.addresses()[0] as { port: number };
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  return `${settings.TLS_CERT === undefined ? 'http' : 'https'}://${host}:${port}`;
}

/** Ctrl-C under npm arrives twice at once: from the terminal, and from npm, which passes it on. That is one wish to stop. */
const sameSignalMs = 200;

/** Stops with grace on the first signal: no new connections, finish what runs, write what waits. A second one ends at once. */
function stopOnSignal(log: Logger, close: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined;
  const stop = async (signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
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

main().catch((error: unknown) => {
  // A wrong setting is the operator's to mend: one line is enough. Anything else is ours, and its trace is needed.
  process.stderr.write(
    error instanceof SettingsError ? `passerelle: ${error.message}\n` : `passerelle: ${(error as Error).stack}\n`,
  );
  process.exit(error instanceof SettingsError ? 2 : 1);
});
