import { relative } from 'node:path';
import type { Verification } from '../result.ts';
import { placeOf, statesText } from './report.ts';

/**
 * Returns a workflow command of GitHub Actions for each failed interaction. GitHub shows it beside the pact's file, in the list of
 * checks (docs.github.com, "Workflow commands": https://docs.github.com/actions/reference/workflow-commands).
 */
export function annotations({ provider, interactions, unfinished }: Verification): string[] {
  const failed = interactions.filter(({ outcome }) => outcome === 'failed');
  return [
    ...failed.map((one) => {
      const title = `${one.consumer} – ${provider}: ${one.description}`;
      const given = one.states.length === 0 ? [] : [`Given ${statesText(one)}.`];
      const problems = one.problems.map((problem) => `${placeOf(problem)}: ${problem.message}`);
      const isFile = !/^(https?:|broker$)/.test(one.source);
      return command({ ...(isFile && { file: relative('', one.source) }), title }, [...given, ...problems].join('\n'));
    }),
    ...unfinished.map((why) => command({ title: provider }, why)),
  ];
}

function command(properties: Record<string, string>, message: string): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  return `::error ${named.join(',')}::${escaped(message, /[%\r\n]/g)}`;
}

/** GitHub reads these characters as the end of a command or of a property. */
const escaped = (text: string, special: RegExp) =>
  text.replaceAll(special, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
