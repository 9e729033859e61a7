import { Command } from 'commander';
import { comparePacts } from '../contracts/tools/comparison/compare.ts';
import { comparisonReport } from '../contracts/tools/comparison/report.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { apiArgument, exitCodes, onStandardOutput, say } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';

export const compareCommand = (): Command =>
  new Command('compare')
    .addArgument(apiArgument('[api]', 'the API (default: the one that each pact names)'))
    .addOption(pactsOption())
    .option('--json', 'print JSON', false)
    .summary('compare pacts with the OpenAPI documents')
    .description('Compares pacts with the OpenAPI documents. It is faster than a verification, but checks no behaviour.')
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle compare --pact ./pacts\n\nExit codes: 0 compatible, 1 not compatible, 2 could not run.',
    )
    .action(async (provider: ServiceName | undefined, options: { pact?: string[]; json: boolean }, command: Command) => {
      const { pact, json } = options;
      const compared = await withPacts(pact, { provider, command }, (groups) =>
        Promise.all(groups.map(([of, pacts]) => comparePacts({ provider: of, pacts }))),
      );
      say(
        json
          ? JSON.stringify(compared, null, 2)
          : compared.map((one) => textReport(comparisonReport(one), onStandardOutput())).join('\n'),
      );
      const wrong = compared.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
      process.exitCode = wrong ? exitCodes.failed : exitCodes.ok;
    });
