import { SettingsError } from './errors.ts';
import { type Logger, textOf } from './log.ts';

const pauseMs = 1000;

/**
 * Opens what may not be there yet, since everything starts at once: again and again, until it works or `seconds` are over.
 * What only an operator can mend (a SettingsError) ends the wait at once.
 */
export async function waitFor<R>(
  name: string,
  open: () => Promise<R>,
  { seconds, log }: { seconds: number; log: Logger },
): Promise<R> {
  const endMs = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (error instanceof SettingsError) throw error;
      const why = textOf((error as Error).cause ?? error);
      if (performance.now() + pauseMs > endMs)
        throw new SettingsError(`${name} did not answer within ${seconds} s (START_WAIT_SECONDS): ${why}`);
      log.warn({ error: why }, `start.waits_for_${name.toLowerCase()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
