import { CouldNotRun } from '../could-not-run.ts';

export type BrokerErrorCode =
  /** What this side was given cannot be used: an address, credentials, a version, selectors. Nothing was sent. */
  | 'settings'
  /** A file or folder holds no pact that could be published. Nothing was sent. */
  | 'pacts'
  /** Nothing answers at the address, or what answers is no Pact Broker. */
  | 'away'
  /** The broker refused the credentials, or what they may do. */
  | 'credentials'
  /** The broker does not know the application, the version or the environment. */
  | 'not_found'
  /** The broker or pact-cli refused for another reason, which the message quotes. */
  | 'refused'
  | 'timed_out'
  /** The caller's signal. */
  | 'aborted'
  /** pact-cli is not installed for this platform, or could not be started. */
  | 'tool';

/** A broker could not be asked, or refused: never an answer such as "not deployable". Holds no secret. */
export class BrokerError extends CouldNotRun {
  override name = 'BrokerError';
  readonly code: BrokerErrorCode;
  /** What pact-cli printed, secrets replaced by `***`; empty where it did not run. */
  readonly output: string;

  constructor(code: BrokerErrorCode, message: string, output = '') {
    super(message);
    this.code = code;
    this.output = output;
  }
}

/** What was given cannot be used. */
export const unusable = (message: string) => new BrokerError('settings', message);
