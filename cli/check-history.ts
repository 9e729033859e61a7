import { Command, InvalidArgumentError } from 'commander';
import { checkHistory } from '../contracts/tools/history/read.ts';
import { hasBroken, historyReport } from '../contracts/tools/history/report.ts';
import { jsonReport } from '../contracts/tools/reports/json.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { durationForms, parseDuration } from '../gateway/base/duration.ts';
import { exitCodes, onStandardOutput, say } from './command.ts';
import { checkOutputs, outputOption, writeOutputs } from './output.ts';

const examples = `
Examples:
  $ passerelle check-history history.jsonl
  $ my-harness | passerelle check-history - --skew 5s --output history.xml

Exit codes: 0 nothing was found, 1 a promise was broken, 2 the history could not be read.`;

export const checkHistoryCommand = (): Command =>
  new Command('check-history')
    .summary('check what a sender of webhooks acknowledged against what receivers got')
    .description(
      'Reads a history of any sender of webhooks as JSON lines: what callers had acknowledged, what receivers got and answered, and what the sender recorded. Says what was lost, duplicated, reordered, altered, misdirected, over a limit or late. docs/ci/check-history.md describes the lines.',
    )
    .argument('<file>', 'the history; - reads standard input')
    .option('--skew <duration>', 'by how much the clocks of sender and receivers may differ', duration, 1000)
    .option('--json', 'print JSON', false)
    .addOption(outputOption(['json', 'xml', 'md']))
    .addHelpText('after', examples)
    .action(async (file: string, { skew, json, output }: { skew: number; json: boolean; output: string[] }) => {
      await checkOutputs(output);
      const checked = await checkHistory(file, skew);
      const report = historyReport(file, checked);
      const asJson = () => jsonReport({ file, failed: hasBroken(checked), ...checked });
      say(json ? asJson() : textReport(report, onStandardOutput()));
      await writeOutputs(output, { json: asJson, xml: () => junitReport([report]), md: () => markdownReport(report) });
      process.exitCode = hasBroken(checked) ? exitCodes.failed : exitCodes.ok;
    });

function duration(value: string): number {
  const ms = parseDuration(value);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(durationForms);
}
