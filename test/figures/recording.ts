import { openLog } from '../../gateway/base/log.ts';
import { Tallier } from '../../gateway/figures/tallier.ts';
import { tallyCalls } from '../../gateway/figures/tally.ts';
import { Recorder } from '../../gateway/http/record/recorder.ts';
import type { Store } from '../../gateway/store/port.ts';

/** A recorder whose calls are tallied, as in a gateway. */
export function recording(store: Store) {
  const log = openLog('silent');
  const tallier = new Tallier({ store, log });
  const recorder = new Recorder({ store, log, maxBytes: 1e9, written: (calls) => tallier.note(tallyCalls(calls)) });
  return { recorder, tallier };
}
