import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { paths } from '../../spec/types/manage.ts';
import type { StubDelivery } from '../webhook-types.ts';
import { Client, type Filters, queryOf, type Refused } from './client.ts';
import { idInPath, deadlineMs as usualDeadlineMs } from './identify.ts';

type DiagnosePath = '/deliveries/{id}/diagnose';

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

/** The calls that commands make to the manage API of a gateway or stub. */
export class ManageClient extends Client {
  protected readonly prefix = '/manage/v1';
  protected readonly deadlineMs = usualDeadlineMs;

  eventTypes(): Promise<EventType[]> {
    return this.call('GET', '/event-types');
  }

  /** Lists the newest 100 active endpoints of a service that get this event type. */
  async endpointsFor({ service, type }: EventType): Promise<{ id: string; url: string }[]> {
    const endpoints = await this.call<{ id: string; url: string; active: boolean; events: string[] | null }[]>(
      'GET',
      `/endpoints?service=${service}&limit=100`,
    );
    return endpoints.filter(({ active, events }) => active && (events === null || events.includes(type)));
  }

  /** Sends a test event to one endpoint. Returns its delivery, before the first attempt. */
  async sendTest(endpointId: string, test: { event_type: string; data: unknown }): Promise<{ id: string }> {
    return this.call('POST', `/endpoints/${idInPath(endpointId)}/test`, test);
  }

  async delivery(id: string): Promise<StubDelivery> {
    return this.call('GET', `/deliveries/${idInPath(id)}`);
  }

  async resend(deliveryId: string): Promise<void> {
    await this.call('POST', `/deliveries/${idInPath(deliveryId)}/resend`);
  }

  /** Reads a list, newest first, page by page. `path`: such as `/deliveries`. */
  async *pages<R>(path: string, filters: Filters = {}): AsyncGenerator<R[]> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = queryOf({ ...filters, limit: '100', ...(cursor && { cursor }) });
      const page: { data: R[]; next: string | null } = await this.read('GET', `${path}?${query}`);
      yield page.data;
      cursor = page.next;
    }
  }

  /** Throws `CouldNotRun` if the endpoint or event does not exist. `path`: such as `/endpoints`. */
  async refuseUnknown(path: '/endpoints' | '/events', id: string): Promise<void> {
    await this.call('GET', `${path}/${idInPath(id)}`);
  }

  async createEndpoint(endpoint: NewEndpoint, description = 'passerelle listen'): Promise<MadeEndpoint> {
    const { id, secret } = await this.call<MadeEndpoint>('POST', '/endpoints', { ...endpoint, description });
    return { id, secret };
  }

  async removeEndpoint(id: string): Promise<void> {
    await this.call('DELETE', `/endpoints/${idInPath(id)}`);
  }

  /** Diagnoses a delivery's signature. Fields that are left out are as they were sent. */
  async diagnose(
    id: string,
    seen: paths[DiagnosePath]['post']['requestBody']['content']['application/json'],
  ): Promise<paths[DiagnosePath]['post']['responses'][200]['content']['application/json']['data']> {
    return this.call('POST', `/deliveries/${idInPath(id)}/diagnose`, seen);
  }

  protected refused(status: number, refused: Refused | null): CouldNotRun {
    const error = refused?.error;
    if (status === 401)
      return new CouldNotRun(
        `${this.at} refused the token. Give the operator token, which the gateway prints at start, with --token.`,
      );
    if (error?.details?.some(({ rule }) => rule === 'url_not_public')) {
      return new CouldNotRun(
        `${error.message ?? `The gateway at ${this.at} refused the URL.`} For receivers on this machine, start the gateway with WEBHOOK_LOOPBACK=on.`,
      );
    }
    return new CouldNotRun(`The gateway at ${this.at} answered ${status}: ${error?.message ?? 'its body is not JSON.'}`);
  }
}
