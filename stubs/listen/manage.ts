import type { paths } from '../../clients/generated/manage.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { Verification } from '../../contracts/tools/verification/result.ts';
import type { Program } from '../../gateway/http/probes.ts';
import type { StubDelivery } from '../webhook-types.ts';
import { identify, idInPath, pathAt, unanswered, deadlineMs as usualDeadlineMs } from './identify.ts';

type DiagnosePath = '/deliveries/{id}/diagnose';
type Examination = paths[DiagnosePath]['post']['responses'][200]['content']['application/json']['data'];

/** A created endpoint. The manage API shows its secret only in this reply. */
export interface MadeEndpoint {
  id: string;
  secret: string;
}

export interface EventType {
  type: string;
  service: string;
  /** An example of the event's data. */
  example: Record<string, unknown>;
}

interface NewEndpoint {
  service: string;
  url: string;
  events: string[] | null;
  perimeter?: string[];
  owner?: string;
}

interface Refused {
  error?: { message?: string; details?: { rule?: string }[] };
}

/** Query parameters by name. Those that are undefined are left out. */
type Filters = Readonly<Record<string, string | undefined>>;

const queryOf = (filters: Filters) =>
  new URLSearchParams(Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** The calls that commands make to the manage API of a gateway or stub. All errors are `CouldNotRun`. */
export class ManageClient {
  readonly #at: string;
  readonly #token: string;
  readonly #option: string;
  /** Set by the first call. */
  #identified: Promise<Program> | undefined;

  /** `option`: the option that gave the URL, for messages. */
  constructor({ at, token, option = '--at' }: { at: string; token: string; option?: string | undefined }) {
    this.#option = option;
    this.#at = pathAt(at, '');
    this.#token = token;
  }

  /** Lists the event types of all services. */
  async eventTypes(): Promise<EventType[]> {
    const { data } = await this.#call<{ data: EventType[] }>('GET', '/event-types');
    return data;
  }

  /** Lists the newest 100 active endpoints of a service that get this event type. */
  async endpointsFor({ service, type }: EventType): Promise<{ id: string; url: string }[]> {
    const { data } = await this.#call<{ data: { id: string; url: string; active: boolean; events: string[] | null }[] }>(
      'GET',
      `/endpoints?service=${service}&limit=100`,
    );
    return data.filter(({ active, events }) => active && (events === null || events.includes(type)));
  }

  /** Sends a test event to one endpoint. Returns its delivery, before the first attempt. */
  async sendTest(endpointId: string, test: { event_type: string; data: unknown }): Promise<{ id: string }> {
    return (await this.#call<{ data: { id: string } }>('POST', `/endpoints/${idInPath(endpointId)}/test`, test)).data;
  }

  async delivery(id: string): Promise<StubDelivery> {
    return (await this.#call<{ data: StubDelivery }>('GET', `/deliveries/${idInPath(id)}`)).data;
  }

  async resend(deliveryId: string): Promise<void> {
    await this.#call('POST', `/deliveries/${idInPath(deliveryId)}/resend`);
  }

  /** Reads a list, newest first, page by page. `path`: such as `/deliveries`. */
  async *pages<R>(path: string, filters: Filters = {}): AsyncGenerator<R[]> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = queryOf({ ...filters, limit: '100', ...(cursor && { cursor }) });
      const page: { data: R[]; next: string | null } = await this.#call('GET', `${path}?${query}`);
      yield page.data;
      cursor = page.next;
    }
  }

  /** The number of rows of a list that match; `more` if only so many were counted. */
  async count(path: string, filters: Filters): Promise<{ count: number; more: boolean }> {
    return (await this.#call<{ data: { count: number; more: boolean } }>('GET', `${path}/count?${queryOf(filters)}`)).data;
  }

  /** All rows of a list that match, as a file. `format`: such as `har`. Throws `CouldNotRun` if the file breaks off. */
  async exported(path: string, format: string, filters: Filters): Promise<Buffer> {
    const query = queryOf({ format, ...filters });
    const reply = await this.#send('GET', `${path}/export?${query}`, { deadlineMs: 300_000 });
    if (!reply.ok) throw this.#refused(reply.status, (await reply.json().catch(() => null)) as Refused | null);
    const bytes = await reply.arrayBuffer().catch(() => {
      throw new CouldNotRun(`The gateway at ${this.#at} broke off the file. Try again, or choose a shorter period.`);
    });
    return Buffer.from(bytes);
  }

  /** Throws `CouldNotRun` if the endpoint or event does not exist. `path`: such as `/endpoints`. */
  async refuseUnknown(path: '/endpoints' | '/events', id: string): Promise<void> {
    await this.#call('GET', `${path}/${idInPath(id)}`);
  }

  async createEndpoint(endpoint: NewEndpoint, description = 'passerelle listen'): Promise<MadeEndpoint> {
    const body = { ...endpoint, description };
    const { data } = await this.#call<{ data: MadeEndpoint }>('POST', '/endpoints', body);
    return { id: data.id, secret: data.secret };
  }

  async removeEndpoint(id: string): Promise<void> {
    await this.#call('DELETE', `/endpoints/${idInPath(id)}`);
  }

  /** Diagnoses a delivery's signature. Fields that are left out are as they were sent. */
  async diagnose(
    id: string,
    seen: paths[DiagnosePath]['post']['requestBody']['content']['application/json'],
  ): Promise<Examination> {
    return (await this.#call<{ data: Examination }>('POST', `/deliveries/${idInPath(id)}/diagnose`, seen)).data;
  }

  /** Stores the report of a verification, for the console. */
  async publish(verifications: readonly Verification[]): Promise<void> {
    await this.#call('POST', '/verifications', { verifications });
  }

  async #call<R>(method: string, path: string, body?: unknown): Promise<R> {
    const reply = await this.#send(method, path, { body });
    const parsed = (await reply.json().catch(() => null)) as R | Refused | null;
    if (!reply.ok || parsed === null) throw this.#refused(reply.status, parsed as Refused | null);
    return parsed as R;
  }

  async #send(
    method: string,
    path: string,
    { body, deadlineMs = usualDeadlineMs }: { body?: unknown; deadlineMs?: number },
  ): Promise<Response> {
    this.#identified ??= identify(this.#at, this.#option);
    await this.#identified;
    const headers = {
      authorization: `Bearer ${this.#token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = {
      method,
      headers,
      redirect: 'error' as const,
      signal: AbortSignal.timeout(deadlineMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return fetch(`${this.#at}/manage/v1${path}`, sent).catch((error: Error) => {
      throw unanswered(this.#at, error, this.#option);
    });
  }

  #refused(status: number, refused: Refused | null): CouldNotRun {
    const error = refused?.error;
    if (status === 401)
      return new CouldNotRun(
        `${this.#at} refused the token. Give the operator token, which the gateway prints at start, with --token.`,
      );
    if (error?.details?.some(({ rule }) => rule === 'url_not_public')) {
      return new CouldNotRun(
        `${error.message ?? `The gateway at ${this.#at} refused the URL.`} For receivers on this machine, start the gateway with WEBHOOK_LOOPBACK=on.`,
      );
    }
    return new CouldNotRun(`The gateway at ${this.#at} answered ${status}: ${error?.message ?? 'its body is not JSON.'}`);
  }
}
