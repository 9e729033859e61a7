import { Command } from 'commander';
import type { ServiceName } from '../contracts/documents/services.ts';
import { type AssumptionFinding, checkAssumptions } from '../contracts/tools/assumptions/check.ts';
import { assumptionsText, overSpecified } from '../contracts/tools/assumptions/report.ts';
import { verify } from '../contracts/tools/verification/run.ts';
import type { PactSource } from '../contracts/tools/verification/sources.ts';
import { exitCodes, providerOption, say } from './command.ts';
import { pactsOption, withPacts } from './pacts.ts';
import { openProgress } from './progress.ts';

interface Options {
  provider?: ServiceName;
  pact?: string[];
  json: boolean;
}

export function assumptionsCommand(): Command {
  return new Command('assumptions')
    .summary('find expectations in pacts that the documents do not support')
    .description(
      'Verifies pacts with the reference implementation, then again with each other choice that the documents allow. An interaction that fails then depends on our choice. It must name the choice with a reference of the group gap; otherwise it is over-specified.',
    )
    .addOption(providerOption('--provider <name>', 'the API to verify (default: the one that each pact names)'))
    .addOption(pactsOption())
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExample:\n  $ passerelle assumptions --pact ./pacts\n\nExit codes: 0 no interaction is over-specified, 1 some are, 2 could not run.',
    )
    .action(async ({ provider: asked, pact, json }: Options) => {
      const findings = await withPacts(pact, asked, findingsOf);
      say(json ? JSON.stringify(findings, null, 2) : assumptionsText(findings));
      process.exitCode = overSpecified(findings).length > 0 ? exitCodes.failed : exitCodes.ok;
    });
}

async function findingsOf(groups: [ServiceName, PactSource[]][]): Promise<AssumptionFinding[]> {
  const findings: AssumptionFinding[] = [];
  for (const [provider, from] of groups) {
    const progress = openProgress(`${provider}: `, 'interaction', from.flatMap(({ interactions }) => interactions).length);
    const { recorded } = await verify({ provider, from, onInteraction: (_, place) => progress.step(place) });
    progress.end();
    findings.push(...(await checkAssumptions({ provider, recorded })));
  }
  return findings;
}
