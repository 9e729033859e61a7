import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { Client, queryOf, type Refused } from './client.ts';

/** An hour of `GET /events/digest`. */
export interface ListedHour {
  hour: string;
  hash: string;
  /** Null if they were not asked for. */
  ids: string[] | null;
}

export interface Period {
  fromMs: number;
  toMs: number;
}

/** Which events are compared. Default: all that the partner may see. */
export interface Only {
  types?: readonly string[] | undefined;
  /** Only the events of this pull consumer. */
  consumer?: string | undefined;
}

/** The calls that commands make to the partners' API of a gateway or stub. */
export class ProfileClient extends Client {
  protected readonly prefix = '/profile/v1';
  protected readonly deadlineMs = 60_000;

  /** Returns the hours of a period that have events; with their ids, of at most 24 hours. */
  digest({ fromMs, toMs, ids, ...only }: Period & Only & { ids?: true }): Promise<ListedHour[]> {
    const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    return this.call(
      'GET',
      `/events/digest?${queryOf({ from, to, ids: ids && 'true', types: only.types?.join(), consumer: only.consumer })}`,
    );
  }

  /** Returns the events with these ids, at most 100. */
  events(ids: readonly string[]): Promise<object[]> {
    return this.call('GET', `/events/by-id?${queryOf({ ids: ids.join() })}`);
  }

  protected refused(status: number, refused: Refused | null): CouldNotRun {
    const message = refused?.error?.message ?? 'its body is not JSON.';
    if (status === 401)
      return new CouldNotRun(`${this.at} refused the token. Give an access token of the partner with --token. ${message}`);
    // A refusal with details is about a parameter, so the path exists.
    if (status === 404 && !refused?.error?.details?.length)
      return new CouldNotRun(`${this.at} has no digest of events for partners. Start a stub with --console.`);
    return new CouldNotRun(`${this.at} answered ${status}: ${message}`);
  }
}
