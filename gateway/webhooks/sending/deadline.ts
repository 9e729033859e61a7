/** A timer that fires later than this shows that the process stalled: it was suspended, or its event loop was blocked. */
const stalledMs = 20;
/** After a stall, the time to read the answers that arrived meanwhile. Decompressing a body takes several turns of the loop. */
const graceMs = 250;

/** A time limit that gives way to what has already arrived. */
export interface Deadline {
  signal: AbortSignal;
  /** Must be called when the work has ended. */
  clear(): void;
}

/**
 * Returns a signal that aborts after `afterMs`, but not before this process has read what arrived until then. Timers run
 * before sockets are read, so after a stall a plain timeout would discard an answer that came in time.
 */
export function deadline(afterMs: number): Deadline {
  const controller = new AbortController();
  const dueMs = performance.now() + afterMs;
  // Immediates run after sockets are read.
  const expire = () =>
    setImmediate(() => controller.abort(new DOMException(`The deadline of ${afterMs} ms passed.`, 'TimeoutError')));
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < stalledMs) expire();
    else timer = setTimeout(expire, graceMs);
  }, afterMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
