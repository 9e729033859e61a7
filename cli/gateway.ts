import { Command, Option } from 'commander';
import { requirePartsOf } from '../contracts/tools/parts.ts';
import type { StartOptions } from '../gateway/server.ts';
import { settingsHelp } from '../gateway/start/config.ts';

const help = () => `
Examples:
  $ passerelle gateway
  $ PORT=0 DATA_DIR=/tmp/passerelle passerelle gateway --json
  $ HOST=0.0.0.0 TLS_CERT=cert.pem TLS_KEY=key.pem passerelle gateway --no-demo
  $ DATABASE_URL=postgres://... REDIS_URL=redis://... SECRET_KEY=$(cat secret.key) passerelle gateway --role worker

Settings (environment):
${settingsHelp()}

Exit codes: 0 ended by a signal, with all that waited written; 1 it failed; 2 it could not start.`;

export function gatewayCommand(): Command {
  return new Command('gateway')
    .summary('the gateway itself, with its console: for operators')
    .description(
      'Runs the gateway: on its embedded tier, everything in this process and in DATA_DIR; with DATABASE_URL and REDIS_URL on its scale tier, as one of many processes.',
    )
    .option('--json', 'print the greeting as one line of JSON on standard output')
    .option('--no-demo', 'no demo data and no demo credentials (DEMO=off)')
    .addOption(new Option('--role <role>', 'what this process does on the scale tier (ROLE)').choices(['api', 'worker', 'all']))
    .addHelpText('after', help)
    .action(run);
}

async function run(options: StartOptions): Promise<void> {
  requirePartsOf('passerelle gateway');
  const { endFailed, runGateway } = await import('../gateway/server.ts');
  await runGateway(options).catch(endFailed);
}
