import { Command, InvalidArgumentError } from 'commander';
import { holdingTests } from '../contracts/documents/held-by-tests.ts';
import type { ServiceName } from '../contracts/documents/services.ts';
import { comparePacts } from '../contracts/tools/comparison/compare.ts';
import { comparisonReport } from '../contracts/tools/comparison/report.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { type Coverage, coverPacts, heldPercent, isHeld } from '../contracts/tools/verification/coverage.ts';
import { coverageMarkdown, coverageText, heldSummary } from '../contracts/tools/verification/reports/coverage.ts';
import { apiArgument, exitCodes, onStandardOutput, say, tell } from './command.ts';
import { checkOutputs, outputOption, writeOutputs } from './output.ts';
import { pactsOption, withPacts } from './pacts.ts';

interface Options {
  pact?: string[];
  json: boolean;
  output: string[];
  atLeast?: number;
}

const pactCommand = (name: string) =>
  new Command(name)
    .addArgument(apiArgument('[api]', 'the API (default: the one that each pact names)'))
    .addOption(pactsOption())
    .option('--json', 'print JSON', false);

export function coverageCommand(): Command {
  return pactCommand('coverage')
    .summary('list the parts of an API that pacts use, and the documented behaviours that they hold')
    .description(
      'Lists the operations, statuses, parameters and event types that pacts use, those that no pact uses, and what holds each documented behaviour: a pact that names it in its references, a test of Passerelle (for its own pacts), or nothing.',
    )
    .option('--at-least <percent>', 'exit with 1 if fewer of the documented behaviours are held (0 to 100)', percent)
    .addOption(outputOption(['json', 'md']))
    .addHelpText(
      'after',
      '\nExamples:\n  $ passerelle coverage --pact ./pacts\n  $ passerelle coverage --at-least 80\n\nExit codes: 0 enough is held, 1 fewer than --at-least, 2 could not run.',
    )
    .action(async (provider: ServiceName | undefined, { pact, json, output, atLeast }: Options) => {
      await checkOutputs(output);
      // Passerelle's tests say nothing about the pacts of others.
      const tests = pact === undefined ? holdingTests : [];
      const coverages = await withPacts(pact, { provider }, async (groups) =>
        groups.map(([of, pacts]) => coverPacts({ provider: of, pacts, tests })),
      );
      const asJson = () => JSON.stringify(coverages, null, 2);
      say(json ? asJson() : coverages.map((one) => coverageText(one, onStandardOutput())).join('\n'));
      await writeOutputs(output, { json: asJson, md: () => coverages.map(coverageMarkdown).join('\n') });
      const short = atLeast === undefined ? [] : coverages.filter((one) => heldPercent(one) < atLeast);
      for (const one of short) tell(tooFew(one, atLeast as number));
      process.exitCode = short.length > 0 ? exitCodes.failed : exitCodes.ok;
    });
}

/** Parses the value of `--at-least`. */
function percent(value: string): number {
  const number = Number(value);
  if (/^[0-9]{1,3}$/.test(value) && number <= 100) return number;
  throw new InvalidArgumentError('It must be a whole number from 0 to 100, without a percent sign.');
}

function tooFew(coverage: Coverage, atLeast: number): string {
  const open = coverage.behaviours.filter((one) => !isHeld(one)).map(({ id }) => id);
  return `passerelle: ${coverage.provider}: ${heldSummary(coverage)}. --at-least asks for ${atLeast} %. Held by nothing: ${open.join(', ')}.`;
}

export function compareCommand(): Command {
  return pactCommand('compare')
    .summary('compare pacts with the OpenAPI documents')
    .description('Compares pacts with the OpenAPI documents. It is faster than a verification, but checks no behaviour.')
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle compare --pact ./pacts\n\nExit codes: 0 compatible, 1 not compatible, 2 could not run.',
    )
    .action(async (provider: ServiceName | undefined, { pact, json }: Options) => {
      const compared = await withPacts(pact, { provider }, (groups) =>
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
}
