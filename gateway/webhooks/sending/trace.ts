import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';

/** What is seen of one request on its way: undici says it on its diagnostics channels only. */
export interface Trace {
  /** The address that the request really went to. */
  address: string | null;
  /** Milliseconds of the phases of opening a connection; absent where one that was open was used again. */
  phases: { dns?: number; connect?: number; tls?: number };
}

const traces = new WeakMap<object, Trace>();
const openings = new WeakMap<Socket, Trace['phases']>();
let tracing: Trace | undefined;

/** Sends a request such that its trace is noted. undici makes its request object before `send` returns. */
export function traced<R>(trace: Trace, send: () => R): R {
  tracing = trace;
  try {
    return send();
  } finally {
    tracing = undefined;
  }
}

/** Times the phases of a connection that is being opened; the first request on it gets them. */
export function noteConnection(socket: Socket, beganMs: number): void {
  const phases: Trace['phases'] = {};
  openings.set(socket, phases);
  let markMs = beganMs;
  const lap = () => {
    const beforeMs = markMs;
    markMs = performance.now();
    return markMs - beforeMs;
  };
  socket.once('lookup', () => {
    phases.dns = lap();
  });
  socket.once('connect', () => {
    phases.connect = lap();
  });
  socket.once('secureConnect', () => {
    phases.tls = lap();
  });
}

subscribe('undici:request:create', (message) => {
  if (tracing) traces.set((message as DiagnosticsChannel.RequestCreateMessage).request, tracing);
});

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  const trace = traces.get(request);
  if (!trace) return;
  trace.address = socket.remoteAddress ?? null;
  trace.phases = openings.get(socket) ?? {};
  openings.delete(socket);
});
