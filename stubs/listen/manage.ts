import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';

/** A created endpoint. The manage API shows its secret only in this reply. */
export interface MadeEndpoint {
  id: string;
  secret: string;
}

interface Refused {
  error?: { message?: string; details?: { rule?: string }[] };
}

/** The calls that `listen` makes to the manage API of a gateway or stub. All errors are `CouldNotRun`. */
export class ManageClient {
  readonly #base: string;
  readonly #at: string;
  readonly #token: string;

  constructor({ at, token }: { at: string; token: string }) {
    this.#at = at.replace(/\/+$/, '');
    this.#base = `${this.#at}/manage/v1`;
    this.#token = token;
  }

  /** Lists the event types of all services. */
  async eventTypes(): Promise<{ type: string; service: string }[]> {
    const { data } = await this.#call<{ data: { type: string; service: string }[] }>('GET', '/event-types');
    return data;
  }

  async createEndpoint(endpoint: { service: string; url: string; events: string[] | null }): Promise<MadeEndpoint> {
    const body = { ...endpoint, description: 'passerelle listen' };
    const { data } = await this.#call<{ data: MadeEndpoint }>('POST', '/endpoints', body);
    return { id: data.id, secret: data.secret };
  }

  async removeEndpoint(id: string): Promise<void> {
    await this.#call('DELETE', `/endpoints/${id}`);
  }

  async #call<R>(method: string, path: string, body?: unknown): Promise<R> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = {
      method,
      headers,
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const reply = await fetch(`${this.#base}${path}`, sent).catch((error: Error) => {
      const why = (error.cause as Error | undefined)?.message ?? error.message;
      throw new CouldNotRun(`No gateway responds at ${this.#at} (${why}). Start one with npm start, or give its URL with --at.`);
    });
    const parsed = (await reply.json().catch(() => null)) as R | Refused | null;
    if (!reply.ok || parsed === null) throw this.#refused(reply.status, parsed as Refused | null);
    return parsed as R;
  }

  #refused(status: number, refused: Refused | null): CouldNotRun {
    const error = refused?.error;
    if (status === 401)
      return new CouldNotRun(
        `${this.#at} refused the token. Give the operator token, which the gateway prints at start, with --token.`,
      );
    if (error?.details?.some(({ rule }) => rule === 'url_not_public')) {
      return new CouldNotRun(
        `The gateway at ${this.#at} does not deliver to loopback addresses. Start it with WEBHOOK_LOOPBACK=on.`,
      );
    }
    if (error?.message === undefined)
      return new CouldNotRun(`${this.#at} answered ${status} and is not a gateway. Give the gateway's URL with --at.`);
    return new CouldNotRun(`The gateway at ${this.#at} answered ${status}: ${error.message}`);
  }
}
