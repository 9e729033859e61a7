import { Option } from 'commander';
import { type ServiceName, serviceNames, services } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { ManageClient } from '../stubs/listen/manage.ts';
import { address } from './command.ts';

/** `--at`, for commands that work with a running stub or gateway. Stubs and gateways print an `export` of its variable. */
export const atOption = (description: string) => new Option('--at <url>', description).env('PASSERELLE_URL').argParser(address);

/** `--token`, the operator's token. */
export const tokenOption = (description = "the operator's token, which a stub or gateway prints at its start") =>
  new Option('--token <token>', description).env('PASSERELLE_OPERATOR_TOKEN');

export interface Running {
  at: string;
  token?: string | undefined;
  /** The API whose stub is wanted, for the hint if nothing answers. */
  api?: ServiceName | undefined;
}

/** The address of a stub that was started without `--port`. */
export const stubUrl = (name: ServiceName): string => `http://127.0.0.1:${services[name].stubPort}`;

/** The API whose stub has this port by default. */
const apiAt = (at: string): ServiceName | undefined =>
  serviceNames.find((name) => new URL(at).port === String(services[name].stubPort));

/** The reply of a running program; `body` is null if it is not JSON. */
export interface Answer {
  status: number;
  body: { data?: unknown; next?: string | null; error?: { message?: string } } | null;
}

/** Makes a call to a running stub or gateway. Throws `CouldNotRun` if nothing answers. */
export async function callRunning({ at, token, api }: Running, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const reply = await fetch(`${at.replace(/\/+$/, '')}${path}`, sent).catch(() => {
    throw new CouldNotRun(
      `No stub answers at ${at}. Start one with passerelle stub ${api ?? apiAt(at) ?? serviceNames[0]}, or pass its URL with --at.`,
    );
  });
  return { status: reply.status, body: (await reply.json().catch(() => null)) as Answer['body'] };
}

/**
 * Returns false for a gateway, which has no `/_stub`. Throws `CouldNotRun` if the program at the address is neither; what
 * answers `/_stub` with another error says itself what is wrong.
 */
export async function isStub(running: Running): Promise<boolean> {
  const { status, body } = await callRunning(running, 'GET', '/_stub');
  if (status !== 404 || body?.data !== undefined) return true;
  const manage = await callRunning(running, 'GET', '/manage/v1/event-types');
  if (manage.status !== 404 && manage.body !== null) return false;
  const { origin, pathname } = new URL(running.at);
  const hint = pathname === '/' ? '' : ` Leave out the path: ${origin}`;
  throw new CouldNotRun(`${running.at} is the address of neither a stub nor a gateway.${hint}`);
}

/** The client of a gateway's manage API. `option` gave its URL. Throws `CouldNotRun` without the operator's token. */
export async function manageOf({ at, token, option }: Running & { option?: string }): Promise<ManageClient> {
  if (token === undefined)
    throw new CouldNotRun(`${at} is a gateway, which needs the operator's token: pass --token or set PASSERELLE_OPERATOR_TOKEN.`);
  const { ManageClient } = await import('../stubs/listen/manage.ts');
  return new ManageClient({ at, token, option });
}

/** The address of a stub is that of a gateway. */
export class IsGateway extends CouldNotRun {}

/** Calls `/_stub` of a running stub. Throws `CouldNotRun` with the stub's message if it refuses, and `IsGateway`. */
export async function callStub<R>(running: Running, method: string, path: string, body?: unknown): Promise<R> {
  const { status, body: answer } = await callRunning(running, method, `/_stub${path}`, body);
  if (status < 400 && answer?.data !== undefined) return answer.data as R;
  if (status === 404 && !(await isStub(running))) throw new IsGateway(`${running.at} is no stub, but a gateway.`);
  throw new CouldNotRun(answer?.error?.message ?? `${running.at} is not a Passerelle stub: it answered ${status}.`);
}
