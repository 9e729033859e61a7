import { setFlagsFromString } from 'node:v8';

/**
 * Runs a start without growth of V8's young generation. A start's objects survive, for which V8 enlarges that space to 33 MB
 * of memory that a stub in a test suite never needs. A stub under load gets it later. For programs of our own only: it is a
 * setting of the whole process.
 */
export async function withoutGrowth<R>(start: () => Promise<R>): Promise<R> {
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await start();
  } finally {
    // V8's default.
    setFlagsFromString('--semi-space-growth-factor=2');
  }
}
