import { SettingsError } from '../base/errors.ts';
import { type Logger, textOf } from '../base/log.ts';

const pauseMs = 1000;

export interface Patience {
  seconds: number;
  log: Logger;
  /** Returns true for an error that may go away. */
  temporary(error: unknown): boolean;
}

/** Retries `open` until it works or `seconds` have passed: at a start, services may come up later than this process. */
export async function waitFor<R>(name: string, open: () => Promise<R>, { seconds, log, temporary }: Patience): Promise<R> {
  const endMs = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!temporary(error)) throw error;
      if (performance.now() + pauseMs > endMs)
        throw new SettingsError(`${name} did not answer within ${seconds} s (START_WAIT_SECONDS): ${textOf(error)}`);
      log.warn({ error: textOf(error) }, `start.waits_for_${name.toLowerCase()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
