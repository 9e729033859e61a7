import { Command } from 'commander';
import { type Assessment, assess } from '../contracts/tools/assumptions/check.ts';
import { assumptionsReport, overSpecified } from '../contracts/tools/assumptions/report.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { today } from '../contracts/tools/today.ts';
import { besideName } from '../contracts/tools/verification/beside.ts';
import { verify } from '../contracts/tools/verification/run.ts';
import type { PactSource } from '../contracts/tools/verification/sources.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { openRehearsingGateway } from '../stubs/assume/rehearsing-gateway.ts';
import { apiArgument, exitCodes, onStandardOutput, say } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { openProgress } from './progress.ts';

export const assumptionsCommand = (): Command =>
  new Command('assumptions')
    .summary('find expectations in pacts that the documents do not support')
    .description(
      'Verifies pacts with the reference implementation, then again with each other choice that the documents allow. An interaction that fails then depends on our choice. It must name the choice with a reference of the group gap; otherwise it is over-specified.',
    )
    .addArgument(apiArgument('[api]', 'the API to verify (default: the one that each pact names)'))
    .addOption(pactsOption())
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `\nExample:\n  $ passerelle assumptions --pact ./pacts\n\nPacts of any version may declare their gaps in ${besideName} beside them.\nExit codes: 0 no interaction is over-specified, 1 some are, 2 could not run, or an interaction could not be judged.`,
    )
    .action(async (provider: ServiceName | undefined, options: { pact?: string[]; json: boolean }, command: Command) => {
      const { pact, json } = options;
      const all = await withPacts(pact, { provider, command }, assessmentsOf);
      const findings = all.flatMap((one) => one.findings);
      const notJudged = all.flatMap((one) => one.notJudged);
      const judged = all.reduce((sum, one) => sum + one.judged, 0);
      say(
        json
          ? JSON.stringify([...findings, ...notJudged], null, 2)
          : textReport(assumptionsReport({ findings, notJudged, judged }), onStandardOutput()),
      );
      process.exitCode = exitCodeOf({ findings, notJudged, judged });
    });

/**
 * A pending interaction that does not verify is not judged, and does not count. But if nothing was judged, the check has no
 * result.
 */
function exitCodeOf({ findings, notJudged, judged }: Assessment): number {
  if (overSpecified(findings).length > 0) return exitCodes.failed;
  return judged === 0 || notJudged.some(({ pending }) => !pending) ? exitCodes.couldNotRun : exitCodes.ok;
}

async function assessmentsOf(groups: [ServiceName, PactSource[]][]): Promise<Assessment[]> {
  const assessments: Assessment[] = [];
  for (const [provider, from] of groups) {
    const progress = openProgress(provider, from.flatMap(({ interactions }) => interactions).length);
    const verified = await verify({
      provider,
      from,
      reference: openRehearsingGateway,
      onInteraction: (_, place) => progress.step(place),
    });
    progress.end();
    assessments.push(await assess(provider, verified, today()));
  }
  return assessments;
}
