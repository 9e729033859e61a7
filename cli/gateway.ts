import { Command, Option } from 'commander';
import { requirePartsOf } from '../contracts/tools/parts.ts';
import { restartWithV8Flags } from '../gateway/base/v8-flags.ts';
import type { StartOptions } from '../gateway/listen.ts';
import { settingsHelp } from '../gateway/start/config.ts';

const help = () => `
Examples:
  $ passerelle gateway
  $ PORT=0 DATA_DIR=/tmp/passerelle passerelle gateway --json
  $ HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem passerelle gateway --no-demo
  $ DATABASE_URL=postgres://... REDIS_URL=redis://... SECRET_KEY=$(cat secret.key) passerelle gateway --role worker

Settings (environment):
${settingsHelp()}

Exit codes: 0 stopped by a signal, with all pending data written; 1 failed; 2 could not start.`;

export const gatewayCommand = (): Command =>
  new Command('gateway')
    .summary('run the gateway with its console (for operators)')
    .description(
      'Runs the gateway. By default it uses the embedded tier: one process, with its data in DATA_DIR. With DATABASE_URL and REDIS_URL it uses the scale tier, as one of many processes.',
    )
    .option('--json', 'print the addresses and credentials as one line of JSON')
    .option('--no-demo', 'without demo data and demo credentials (same as DEMO=off)')
    .addOption(
      new Option('--role <role>', 'the work of this process on the scale tier (same as ROLE)').choices(['api', 'worker', 'all']),
    )
    .option('--migrate-only', 'migrate the database and end, before processes of a new version start')
    .option('--replace-key', 'accept this master key in place of one that is lost or has leaked, and end')
    .addHelpText('after', help)
    .action(run);

async function run(options: StartOptions): Promise<void> {
  requirePartsOf('passerelle gateway');
  restartWithV8Flags();
  const { endFailed, runGateway } = await import('../gateway/listen.ts');
  await runGateway(options).catch(endFailed);
}
