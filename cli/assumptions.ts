import { Command } from 'commander';
import type { Provider } from '../contracts/documents/services.ts';
import { type AssumptionFinding, checkAssumptions } from '../contracts/tools/assumptions/check.ts';
import { assumptionsText, overSpecified } from '../contracts/tools/assumptions/report.ts';
import { verify } from '../contracts/tools/verification/run.ts';
import type { PactSource } from '../contracts/tools/verification/sources.ts';
import { exitCodes, providerName, say } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { openProgress } from './progress.ts';

interface Options {
  provider?: Provider;
  pact?: string[];
  json: boolean;
}

export function assumptionsCommand(): Command {
  return new Command('assumptions')
    .summary('what pacts promise that the documents do not')
    .description(
      'Verifies pacts with the reference implementation, and then as if it had chosen otherwise wherever the documents leave a choice. An interaction that fails then rests on the choice: it says so with a reference of the group gap, or is over-specified.',
    )
    .option('--provider <name>', 'pos or cohesion; by default what each pact names', providerName)
    .addOption(pactsOption())
    .option('--json', 'for programs', false)
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle assumptions --pact ./pacts\n\nExit codes: 0 none is over-specified, 1 some are, 2 could not run.',
    )
    .action(async ({ provider: asked, pact, json }: Options) => {
      const findings = await withPacts(pact, asked, findingsOf);
      say(json ? JSON.stringify(findings, null, 2) : assumptionsText(findings));
      process.exitCode = overSpecified(findings).length > 0 ? exitCodes.failed : exitCodes.ok;
    });
}

async function findingsOf(groups: [Provider, PactSource[]][]): Promise<AssumptionFinding[]> {
  const findings: AssumptionFinding[] = [];
  for (const [provider, from] of groups) {
    const progress = openProgress(`${provider}: `, 'interaction', from.flatMap(({ interactions }) => interactions).length);
    const { recorded } = await verify({ provider, from, onInteraction: (_, place) => progress.step(place) });
    progress.end();
    findings.push(...(await checkAssumptions({ provider, recorded })));
  }
  return findings;
}
