import { Command } from 'commander';
import type { ServiceName } from '../contracts/documents/services.ts';
import { comparePacts } from '../contracts/tools/comparison/compare.ts';
import { comparisonText } from '../contracts/tools/comparison/report.ts';
import { coverPacts } from '../contracts/tools/verification/coverage.ts';
import { coverageMarkdown, coverageText } from '../contracts/tools/verification/reports/coverage.ts';
import { exitCodes, onStandardOutput, providerOption, say, writeReport } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';

interface Options {
  provider?: ServiceName;
  pact?: string[];
  json: boolean;
  markdown?: string;
}

const pactCommand = (name: string) =>
  new Command(name)
    .addOption(providerOption('--provider <name>', 'the API (default: the one that each pact names)'))
    .addOption(pactsOption())
    .option('--json', 'print JSON', false);

export function coverageCommand(): Command {
  return pactCommand('coverage')
    .summary('list the parts of an API that pacts use')
    .description('Lists the operations, statuses, parameters and event types that pacts use, and those that no pact uses.')
    .option('--markdown <file>', 'append the table to this file, such as $GITHUB_STEP_SUMMARY')
    .addHelpText('after', '\nExample:\n  $ passerelle coverage --pact ./pacts')
    .action(async ({ provider, pact, json, markdown }: Options) => {
      const coverages = await withPacts(pact, provider, async (groups) =>
        groups.map(([of, pacts]) => coverPacts({ provider: of, pacts })),
      );
      say(json ? JSON.stringify(coverages, null, 2) : coverages.map((one) => coverageText(one, onStandardOutput())).join('\n'));
      if (markdown !== undefined) await writeReport(markdown, coverages.map(coverageMarkdown).join('\n'), 'a');
    });
}

export function compareCommand(): Command {
  return pactCommand('compare')
    .summary('compare pacts with the OpenAPI documents')
    .description('Compares pacts with the OpenAPI documents. It is faster than a verification, but checks no behaviour.')
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle compare --pact ./pacts\n\nExit codes: 0 compatible, 1 not compatible, 2 could not run.',
    )
    .action(async ({ provider, pact, json }: Options) => {
      const compared = await withPacts(pact, provider, (groups) =>
        Promise.all(groups.map(([of, pacts]) => comparePacts({ provider: of, pacts }))),
      );
      say(json ? JSON.stringify(compared, null, 2) : compared.map((one) => comparisonText(one, onStandardOutput())).join('\n'));
      const wrong = compared.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
      process.exitCode = wrong ? exitCodes.failed : exitCodes.ok;
    });
}
