/** The program of a gateway and of a worker: `node gateway/server.ts --help`. */
import { restartWithV8Flags } from './base/v8-flags.ts';

restartWithV8Flags();
const { endFailed, main } = await import('./listen.ts');
await main().catch(endFailed);
