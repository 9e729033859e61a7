import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { parseAccepted } from '../contracts/tools/breaking/accepted.ts';
import { breakingAnnotations } from '../contracts/tools/breaking/annotations.ts';
import { compareDocuments } from '../contracts/tools/breaking/compare.ts';
import { type ReadDocument, readDocument } from '../contracts/tools/breaking/read.ts';
import { breakingJson, breakingReport, breakingSuite, type Compared, isFailed } from '../contracts/tools/breaking/report.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { today } from '../contracts/tools/today.ts';
import { textOf } from '../contracts/tools/verification/sources.ts';
import { annotate, exitCodes, onStandardOutput, say } from './command.ts';
import { checkOutputs, outputOption, writeOutputs } from './output.ts';
import { seconds } from './verify-options.ts';

interface Options {
  accept?: string;
  failOn: Compared['failOn'];
  timeout: number;
  json: boolean;
  output: string[];
}

const examples = `
Examples:
  $ passerelle breaking released.json openapi.json
  $ git show main:openapi.yaml | passerelle breaking - openapi.yaml
  $ passerelle breaking https://api.example.org/openapi.json openapi.yaml --accept accepted.json --output breaking.xml

breaking: a call that worked is refused, or a value is missing or different. risky: a value that a consumer has never seen, or a
change that cannot be judged. harmless: a consumer of the old document notices nothing.
Exit codes: 0 nothing breaks, 1 a change breaks, 2 the documents could not be compared.`;

/** The maximum number of harmless changes that a terminal shows. */
const harmlessShown = 20;

export const breakingCommand = (): Command =>
  new Command('breaking')
    .summary('find changes of an OpenAPI document that break its consumers')
    .description(
      'Compares two OpenAPI documents (3.0 or 3.1, JSON or YAML) and names what a consumer of the old one would notice.',
    )
    .argument('<old>', 'the file or URL of the document that consumers know; - reads standard input')
    .argument('<new>', 'the file or URL of the document that will replace it')
    .option('--accept <file>', 'a file of changes that are made on purpose, each with rule, place, reason and expiry')
    .addOption(
      new Option('--fail-on <severity>', 'the least severity that fails the check')
        .choices(['breaking', 'risky'])
        .default('breaking'),
    )
    .option('--timeout <seconds>', 'the deadline of each download', seconds, 30)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'md']))
    .addHelpText('after', examples)
    .action(async (old: string, now: string, { accept, failOn, timeout, json, output }: Options) => {
      await checkOutputs(output);
      if (old === '-' && now === '-') throw new CouldNotRun('Standard input holds one document: name a file for the other one.');
      const accepted = accept === undefined ? [] : parseAccepted(await textAt(accept), accept);
      const documents = [await readDocument(old, timeout * 1000), await readDocument(now, timeout * 1000)] as const;
      const compared = compareDocuments(...documents, { accepted, failOn, today: today() });
      say(json ? breakingJson(compared) : textReport(breakingReport(compared, harmlessShown), onStandardOutput()));
      const file = await fileOf(now, documents[1]);
      annotate(() => breakingAnnotations(compared, file));
      await writeOutputs(output, {
        json: () => breakingJson(compared),
        xml: () => junitReport([breakingSuite(compared)]),
        md: () => markdownReport(breakingReport(compared)),
      });
      process.exitCode = isFailed(compared) ? exitCodes.failed : exitCodes.ok;
    });

/** The new document, if it is a file: annotations are shown in it. */
async function fileOf(place: string, { address, documents }: ReadDocument) {
  if (!address.startsWith('file:') || place === '-') return undefined;
  return { name: place, text: textOf(await readFile(place)), document: documents.get(address) };
}

async function textAt(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CouldNotRun(`The file of accepted changes cannot be read: ${error.message}.`);
  });
  return textOf(bytes);
}
