import { setFlagsFromString } from 'node:v8';

/**
 * Runs a start without growth of V8's young generation. Because the objects of a start survive, V8 would enlarge that space to 33
 * MB. A stub in a test suite never needs so much. Under load, V8 can enlarge it later. Only our own programs may call this,
 * because the setting is of the whole process.
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
