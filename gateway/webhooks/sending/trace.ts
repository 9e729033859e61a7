import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';

/** Facts about one request that undici publishes only on its diagnostics channels. */
export interface Trace {
  /** The IP address that the request was sent to. */
  address: string | null;
  /** Durations of opening the connection, in milliseconds; empty if an open connection was reused. */
  phases: { dns?: number; connect?: number; tls?: number };
}

const traces = new WeakMap<object, Trace>();
const openings = new WeakMap<Socket, Trace['phases']>();
let tracing: Trace | undefined;

/** Calls `send` and fills the trace of its request. undici must create the request object before `send` returns. */
export function traced<R>(trace: Trace, send: () => R): R {
  tracing = trace;
  try {
    return send();
  } finally {
    tracing = undefined;
  }
}

/** Measures how long each phase of opening a connection takes. The connection's first request gets the durations. */
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
