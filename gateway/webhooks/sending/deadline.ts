/** A timer that fires later than this shows that the process stalled: it was suspended, or its event loop was blocked. */
const stalledMs = 20;
/** After a stall, the time to read the answers that arrived meanwhile. Decompressing a body takes several turns of the loop. */
const graceMs = 250;

/**
 * Calls `expire` after `afterMs`, but not before this process has read what arrived until then. Timers run before sockets are
 * read, so after a stall a plain timeout would discard an answer that came in time. Returns a function that stops it.
 */
export function deadline(afterMs: number, expire: (reason: Error) => void): () => void {
  const dueMs = performance.now() + afterMs;
  let isOver = false;
  // Immediates run after sockets are read.
  const end = () =>
    setImmediate(() => {
      if (!isOver) expire(new DOMException(`The deadline of ${afterMs} ms passed.`, 'TimeoutError'));
    });
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < stalledMs) end();
    else timer = setTimeout(end, graceMs);
  }, afterMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
