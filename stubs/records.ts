import type { Clock } from '../gateway/base/clock.ts';
import type { Feature } from '../gateway/base/features.ts';
import type { Logger } from '../gateway/base/log.ts';
import { standardRedaction } from '../gateway/base/redact.ts';
import { Tallier } from '../gateway/figures/tallier.ts';
import { tallyCalls } from '../gateway/figures/tally.ts';
import type { CallSink } from '../gateway/http/record/record.ts';
import { backlogBytes, type CallRecords, Recorder, waitingCall } from '../gateway/http/record/recorder.ts';
import type { Settings } from '../gateway/start/config.ts';
import type { Store } from '../gateway/store/port.ts';
import { LatestCalls } from './latest-calls.ts';

/** The number of calls that `/manage/v1/calls` of a stub shows. */
export const callsKept = 1000;

/** The calls that `/manage/v1` shows, and their figures if there are any. */
export interface Records {
  calls: CallRecords;
  sink: CallSink;
  tallier?: Tallier;
  features: readonly Feature[];
}

export interface RecordsParts {
  store: Store;
  clock: Clock;
  log: Logger;
  settings: Settings;
}

/** Keeps the latest calls, and no figures. */
export function recordsWithoutFigures({ store, settings }: RecordsParts): Records {
  const calls = new LatestCalls({ store, calls: callsKept, maxBytes: backlogBytes });
  return { calls, sink: sinkOf(calls, settings), features: [calls] };
}

/** Keeps the latest calls and adds up their figures, for the console. */
export function recordsWithFigures({ store, clock, log, settings }: RecordsParts): Records {
  const tallier = new Tallier({ store, log });
  // Calls are recorded by the machine's time, and figures are read by the stub's clock.
  const aheadMs = () => clock.now() - Date.now();
  const recorder = new Recorder({
    store,
    log,
    maxBytes: backlogBytes,
    written: (calls) => tallier.note(tallyCalls(calls, aheadMs())),
  });
  return { calls: recorder, sink: sinkOf(recorder, settings), tallier, features: [tallier, recorder] };
}

function sinkOf(records: Pick<Recorder, 'push'>, settings: Settings): CallSink {
  // Test data needs no mask.
  const rows = { bodyCharacters: settings.RECORD_BODY_CHARACTERS, redaction: standardRedaction };
  return (call) => {
    // A reply that never began has no status that these records could show.
    if (call.replied) records.push(waitingCall(call, rows));
  };
}
