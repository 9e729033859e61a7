import { Command } from 'commander';
import type { Provider } from '../contracts/documents/services.ts';
import { comparePacts } from '../contracts/tools/comparison/compare.ts';
import { comparisonText } from '../contracts/tools/comparison/report.ts';
import { coverPacts } from '../contracts/tools/verification/coverage.ts';
import { coverageMarkdown, coverageText } from '../contracts/tools/verification/reports/coverage.ts';
import { exitCodes, onStandardOutput, providerName, say, writeReport } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';

interface Options {
  provider?: Provider;
  pact?: string[];
  json: boolean;
  markdown?: string;
}

const reading = (name: string) =>
  new Command(name)
    .option('--provider <name>', 'pos or cohesion; by default what each pact names', providerName)
    .addOption(pactsOption())
    .option('--json', 'for programs', false);

export function coverageCommand(): Command {
  return reading('coverage')
    .summary('what pacts exercise of an API, and what they leave open')
    .description('Which operations, statuses, parameters and event types pacts exercise, and which they leave open.')
    .option('--markdown <file>', 'add the table to this file, such as a CI page')
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
  return reading('compare')
    .summary('pacts beside the OpenAPI documents, without a run')
    .description('Compares pacts with the OpenAPI documents: quicker than a verification, and blind to behaviour.')
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle compare --pact ./pacts\n\nExit codes: 0 compatible, 1 not, 2 could not run.',
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
