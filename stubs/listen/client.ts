import type { Response } from 'undici';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { Program } from '../../gateway/http/probes.ts';
import { callPlace, identify, pathAt } from './identify.ts';

/** A stub or gateway, and how to call it. */
export interface Place {
  at: string;
  /** The operator's token. */
  token?: string | undefined;
  /** The option that gave the URL, for messages. Default `--at`. */
  option?: string | undefined;
  /** What answers there, if that is known. */
  program?: Program;
}

export interface Refused {
  error?: { message?: string; details?: { rule?: string }[] };
}

/** Query parameters by name. Those that are undefined are left out. */
export type Filters = Readonly<Record<string, string | undefined>>;

export const queryOf = (filters: Filters) =>
  new URLSearchParams(Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined));

/**
 * Calls one API of a running stub or gateway. Asks first what is there: another program must get neither the token nor the change.
 * All errors are `CouldNotRun`.
 */
export abstract class Client {
  readonly at: string;
  /** The API's path. */
  protected abstract readonly prefix: string;
  /** How long a call may take. Undefined: until the program ends. */
  protected abstract readonly deadlineMs: number | undefined;
  readonly #token: string | undefined;
  readonly #option: string | undefined;
  /** Set by the first call. */
  #identified: Promise<unknown> | undefined;

  constructor({ at, token, option, program }: Place) {
    this.at = pathAt(at, '');
    this.#token = token;
    this.#option = option;
    this.#identified = program && Promise.resolve();
  }

  /** The error for a reply that refuses, or that has no data. */
  protected abstract refused(status: number, answer: Refused | null): CouldNotRun;

  async call<R>(method: string, path: string, body?: unknown): Promise<R> {
    return (await this.read<{ data: R }>(method, path, body)).data;
  }

  protected async read<A extends { data: unknown }>(method: string, path: string, body?: unknown): Promise<A> {
    const reply = await this.open(method, path, { body });
    const answer = (await reply.json().catch(() => null)) as A | null;
    if (answer?.data === undefined) throw this.refused(reply.status, null);
    return answer;
  }

  /** Returns a reply whose body is still to be read. */
  async open(method: string, path: string, { body, signal }: { body?: unknown; signal?: AbortSignal } = {}): Promise<Response> {
    this.#identified ??= identify(this.at, this.#option);
    await this.#identified;
    const headers = {
      accept: 'application/json',
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const deadline = this.deadlineMs === undefined ? null : AbortSignal.timeout(this.deadlineMs);
    const sent = {
      method,
      headers,
      redirect: 'error' as const,
      signal: signal ?? deadline,
      body: body === undefined ? null : JSON.stringify(body),
    };
    const reply = await callPlace(this.at, `${this.prefix}${path}`, sent, this.#option);
    if (reply.ok) return reply;
    throw this.refused(reply.status, (await reply.json().catch(() => null)) as Refused | null);
  }
}

/** Calls `/_stub` of a running stub. A call may wait for deliveries, so it has no deadline. */
export class StubClient extends Client {
  protected readonly prefix = '/_stub';
  protected readonly deadlineMs = undefined;

  protected refused(status: number, answer: Refused | null): CouldNotRun {
    return new CouldNotRun(answer?.error?.message ?? `The stub at ${this.at} answered ${status}.`);
  }
}
