import { Command } from 'commander';
import { z } from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { palette } from '../contracts/tools/reports/text.ts';
import { states } from '../contracts/tools/states/register.ts';
import type { State } from '../contracts/tools/states/state.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import { apiArgument, onStandardOutput, say } from './command.ts';

interface ListedState {
  provider: ServiceName;
  state: string;
  /** JSON Schema of each parameter by name. */
  params: Readonly<Record<string, object>>;
  required: readonly string[];
  returns: readonly string[];
  event?: string;
}

export const statesCommand = (): Command =>
  new Command('states')
    .summary('list the provider states that pacts may name')
    .description('Lists the provider states of the reference implementation, with their parameters and the values they return.')
    .addArgument(apiArgument('[api]', 'only this API (default: both)'))
    .option('--search <text>', 'only states whose name contains this text; ignores case')
    .option('--json', 'print JSON, with a JSON Schema of each parameter', false)
    .addHelpText('after', '\nExample:\n  $ passerelle states pos --search store')
    .action((provider: ServiceName | undefined, { search = '', json }: { search?: string; json: boolean }) => {
      const wanted = search.toLowerCase();
      const found = (provider ? [provider] : serviceNames)
        .flatMap((name) => states[name].map((state) => listed(name, state)))
        .filter(({ state }) => state.toLowerCase().includes(wanted));
      if (json) return say(JSON.stringify(found, null, 2));
      if (found.length === 0) throw new CouldNotRun(`No state contains "${search}": try fewer words, or omit --search.`);
      say(statesText(found));
    });

function listed(provider: ServiceName, { name, params, returns, event }: State): ListedState {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
  return { provider, state: name, params: properties as Record<string, object>, required, returns, ...(event && { event }) };
}

function statesText(found: readonly ListedState[]): string {
  const { bold, dim } = palette(onStandardOutput().colors);
  const lineOf = ({ state, params, required, returns, event }: ListedState) => {
    const named = Object.keys(params).map((name) => `${name}${required.includes(name) ? '!' : ''}`);
    const parts = [
      ...(named.length > 0 ? [`takes ${named.join(', ')}`] : []),
      ...(returns.length > 0 ? [`returns ${returns.join(', ')}`] : []),
      ...(event ? [`causes ${event}`] : []),
    ];
    return `  ${state}${parts.length > 0 ? `  ${dim(parts.join('; '))}` : ''}`;
  };
  const groups = [...Map.groupBy(found, ({ provider }) => provider)];
  const lines = groups.flatMap(([provider, all]) => [bold(provider), ...all.map(lineOf), '']);
  return [...lines, 'Parameters are optional unless marked with "!". --json shows their types.'].join('\n');
}
