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

/** A connection that was opened through a proxy. */
export interface Tunnel {
  /** The receiver's IP address. The address of the socket is that of the proxy. */
  address: string;
  phases: Trace['phases'];
}

const openings = new WeakMap<Socket, Trace['phases']>();
const addresses = new WeakMap<Socket, string>();
let starting: Trace | undefined;

/** Fills the trace of a request that starts. Call it in `onRequestStart`: right after it undici publishes the socket. */
export function traceStart(trace: Trace): void {
  starting = trace;
}

/** Measures how long each phase of opening a connection takes. The connection's first request gets the durations. */
export function noteConnection(socket: Socket, beganMs: number, tunnel?: Tunnel): void {
  const phases = { ...tunnel?.phases };
  openings.set(socket, phases);
  if (tunnel) addresses.set(socket, tunnel.address);
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

subscribe('undici:client:sendHeaders', (message) => {
  if (!starting) return;
  const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  starting.address = addresses.get(socket) ?? socket.remoteAddress ?? null;
  const phases = openings.get(socket);
  if (phases) {
    starting.phases = phases;
    openings.delete(socket);
  }
  starting = undefined;
});
