import { Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Program } from '../gateway/http/probes.ts';
import { type ServiceName, services } from '../spec/documents/services.ts';
import { type Place, StubClient } from '../stubs/listen/client.ts';
import { identify } from '../stubs/listen/identify.ts';
import type { ManageClient } from '../stubs/listen/manage.ts';
import { address } from './command.ts';

/** `--at`, for commands that work with a running stub or gateway. Stubs and gateways print an `export` of its variable. */
export const atOption = (description: string) => new Option('--at <url>', description).env('PASSERELLE_URL').argParser(address);

/** `--token`, the operator's token. */
export const tokenOption = (description = "the operator's token, which a stub or gateway prints at its start") =>
  new Option('--token <token>', description).env('PASSERELLE_OPERATOR_TOKEN');

/** A running stub or gateway. Only `runningAt` creates one, so that nothing is sent to another program. */
export type Running = Place & { program: Program };

/** Finds out what is at a URL. Throws `CouldNotRun` if it is no stub and no gateway. */
export const runningAt = async (at: string, token: string | undefined): Promise<Running> => ({
  at,
  token,
  program: await identify(at),
});

/** The address of a stub that was started without `--port`. */
export const stubUrl = (name: ServiceName): string => `http://127.0.0.1:${services[name].stubPort}`;

/**
 * The client of the manage API of a gateway or stub. `option` gave its URL. A stub tells the operator's token to programs on its
 * machine. Throws `CouldNotRun` without the token of a gateway.
 */
export async function manageOf(place: Place): Promise<ManageClient> {
  const token = place.program === 'stub' ? await tokenOf(place) : place.token;
  if (token === undefined)
    throw new CouldNotRun(
      `${place.at} is a gateway, which needs the operator's token: pass --token or set PASSERELLE_OPERATOR_TOKEN.`,
    );
  const { ManageClient } = await import('../stubs/listen/manage.ts');
  return new ManageClient({ ...place, token });
}

const tokenOf = async (stub: Place) => (await new StubClient(stub).call<{ operatorToken: string }>('GET', '')).operatorToken;
