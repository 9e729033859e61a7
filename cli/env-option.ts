import { InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { nearestOf } from '../gateway/base/nearest.ts';
import { type ServiceName, serviceNames } from '../spec/documents/services.ts';
import type { Variable, Variables } from '../stubs/suite/environment.ts';

/** A variable of `--env`, with the API whose stub it is about, if it was named. */
export interface Given {
  api?: ServiceName;
  variable: Variable;
}

export const environmentText = `
The command finds each stub in its environment:
  pos       PASSERELLE_POS_URL, PASSERELLE_POS_API_KEY, PASSERELLE_POS_API_SECRET
  cohesion  PASSERELLE_COHESION_URL, PASSERELLE_COHESION_TOKEN, and one token for each ability: PASSERELLE_COHESION_TOKEN_READ_STATS
  both      PASSERELLE_URL (of the first API), PASSERELLE_OPERATOR_TOKEN, PASSERELLE_SIGNING_SECRET`;

/** `--env`, of each command that runs a command against stubs. */
export const envOption = (): Option =>
  new Option(
    '--env <[api=]NAME[=value]>',
    "also pass the stub's address under this name, or a value with {url}, {api_key}, {api_secret}, {token}, {signing_secret}, {operator_token} or (with --tls) {ca_file} in it; with two APIs, write pos= or cohesion= before it",
  )
    .default([], 'none')
    .argParser(variable);

/** Parses `SHOP_URL`, `SHOP_URL={url}/api/v1` and `pos=SHOP_URL`. */
function variable(text: string, before: readonly Given[]): Given[] {
  const [, prefix, rest = text] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
  const api = serviceNames.find((one) => one === prefix);
  // Without this check, the text after `=` would be passed on as it is, without the stub's address.
  if (prefix !== undefined && api === undefined && /^[A-Z_][A-Z0-9_]*(=.*)?$/s.test(rest))
    throw new InvalidArgumentError(`"${prefix}" is not an API. Did you mean ${nearestOf(prefix, serviceNames)}=${rest}?`);
  const [, name, value = '{url}'] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(api ? rest : text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must look like SHOP_URL, SHOP_URL={url}/api/v1 or pos=SHOP_URL.');
  return [...before, { ...(api && { api }), variable: { name, value } }];
}

/** The variables of each API. Throws `CouldNotRun` if it is not clear to which API a variable belongs. */
export function variablesOf(apis: readonly ServiceName[], env: readonly Given[]): Variables {
  const [only] = apis;
  for (const { api, variable } of env) {
    if (api !== undefined && !apis.includes(api))
      throw new CouldNotRun(
        `--env ${api}=${variable.name}: the command is not said to call ${api}. Name it before --, or leave out the variable.`,
      );
    if (api === undefined && apis.length > 1)
      throw new CouldNotRun(
        `--env ${variable.name}: say which API's address it gets: --env ${apis.map((one) => `${one}=${variable.name}`).join(' or --env ')}.`,
      );
  }
  return Object.fromEntries(
    apis.map((name) => [name, env.filter(({ api = only }) => api === name).map(({ variable }) => variable)]),
  );
}
