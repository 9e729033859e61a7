import { SettingsError } from '../base/errors.ts';
import { type Logger, textOf } from '../base/log.ts';

const pauseMs = 1000;

export interface Patience {
  seconds: number;
  log: Logger;
  /** Whether waiting may mend this error. */
  temporary(error: unknown): boolean;
}

/** Opens what may not be there yet, since everything starts at once: again and again, until it works or time is up. */
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
