import { Option } from 'commander';
import { type ServiceName, services } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { Program } from '../gateway/http/probes.ts';
import { identify, pathAt, unanswered } from '../stubs/listen/identify.ts';
import type { ManageClient } from '../stubs/listen/manage.ts';
import { address } from './command.ts';

/** `--at`, for commands that work with a running stub or gateway. Stubs and gateways print an `export` of its variable. */
export const atOption = (description: string) => new Option('--at <url>', description).env('PASSERELLE_URL').argParser(address);

/** `--token`, the operator's token. */
export const tokenOption = (description = "the operator's token, which a stub or gateway prints at its start") =>
  new Option('--token <token>', description).env('PASSERELLE_OPERATOR_TOKEN');

/** A running stub or gateway. `runningAt` alone makes one, so that nothing is sent to another program. */
export interface Running {
  at: string;
  token?: string | undefined;
  program: Program;
}

/** Finds out what is at a URL. Throws `CouldNotRun` if it is no stub and no gateway. */
export const runningAt = async (at: string, token: string | undefined): Promise<Running> => ({
  at,
  token,
  program: await identify(at),
});

/** The address of a stub that was started without `--port`. */
export const stubUrl = (name: ServiceName): string => `http://127.0.0.1:${services[name].stubPort}`;

/** The client of a gateway's manage API. `option` gave its URL. Throws `CouldNotRun` without the operator's token. */
export async function manageOf({ at, token, option }: Omit<Running, 'program'> & { option?: string }): Promise<ManageClient> {
  if (token === undefined)
    throw new CouldNotRun(`${at} is a gateway, which needs the operator's token: pass --token or set PASSERELLE_OPERATOR_TOKEN.`);
  const { ManageClient } = await import('../stubs/listen/manage.ts');
  return new ManageClient({ at, token, option });
}

interface Sent {
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls `/_stub` of a running stub. Throws `CouldNotRun` with the stub's message if it refuses. */
export async function askStub(
  { at, token }: Running,
  method: string,
  path: string,
  { body, signal }: Sent = {},
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = {
    method,
    headers,
    redirect: 'error' as const,
    signal: signal ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  };
  const reply = await fetch(pathAt(at, `/_stub${path}`), sent).catch((error: Error) => {
    throw unanswered(at, error);
  });
  if (reply.ok) return reply;
  const answer = (await reply.json().catch(() => null)) as { error?: { message?: string } } | null;
  throw new CouldNotRun(answer?.error?.message ?? `The stub at ${at} answered ${reply.status}.`);
}

/** Returns the data of a reply of `/_stub`. Throws as `askStub` does. */
export async function callStub<R>(stub: Running, method: string, path: string, body?: unknown): Promise<R> {
  const reply = await askStub(stub, method, path, { body });
  const answer = (await reply.json().catch(() => null)) as { data?: R } | null;
  if (answer?.data !== undefined) return answer.data;
  throw new CouldNotRun(`The stub at ${stub.at} answered ${reply.status}.`);
}
