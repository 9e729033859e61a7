import type { NewJob } from '../../queue/port.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { SkipReason } from '../../store/tables/webhooks.ts';

/**
 * What a stub does differently with events and attempts. A gateway passes none of these functions, and waits for none of them. A
 * function that returns undefined changes nothing.
 */
export interface AttemptHooks {
  /** Returns the body of a new event. `tx`: the rows of its change. */
  eventBody?(event: Row<'events'>, tx: Rows): string | Promise<string>;
  /** Returns the jobs to queue now, in place of `jobs`: those of the deliveries that a change made due, in their order. */
  jobs?(jobs: readonly NewJob[], due: readonly Row<'deliveries'>[]): readonly NewJob[] | undefined;
  /** Returns why a delivery that is due is not sent. */
  skip?(delivery: Row<'deliveries'>, event: Row<'events'>, endpoint: Row<'endpoints'>): SkipReason | undefined;
  /** Told of each delivery that was skipped when it was due, once that is stored. */
  skipped?(delivery: Row<'deliveries'>): void;
  /** Returns the headers to send in place of these. `secret`: the one that signs the header of the API documents. */
  headers?(
    headers: Record<string, string>,
    event: Pick<Row<'events'>, 'type' | 'body'>,
    secret: string,
  ): Record<string, string> | undefined;
  /** Returns the time that signatures state, in milliseconds since 1970, in place of the clock's. */
  signedAt?(): number;
  /** True if the first attempt loads the HTTP client, and not `start`. */
  lateClient?: boolean;
  /** True if `close` aborts the attempts in flight. By default it waits for them. */
  abortOnClose?: boolean;
}
