import { createRequire } from 'node:module';
import pino, { type Logger as PinoLogger } from 'pino';
import { hasPackage } from './has-package.ts';

export type Logger = PinoLogger;

/** Gets each line of the log, as JSON. */
export interface LineStream {
  write(line: string): void;
}

/**
 * Logs JSON lines to standard error, or readable text on a terminal, and to `also`. Standard output stays free for scripts.
 */
export function openLog(level: string, also?: LineStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const stream = standardError();
  return pino(options, also ? pino.multistream([stream, also].map((each) => ({ level: 'trace', stream: each }))) : stream);
}

function standardError(): pino.DestinationStream {
  if (!process.stderr.isTTY || !hasPackage('pino-pretty')) return pino.destination(2);
  // Loaded here, because most processes have no terminal.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pretty({ destination: 2, colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname', singleLine: true });
}

/** Returns an error's message. The error itself must not be logged: Redis errors carry the command, with its password. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}

const repeatedAfterMs = 5000;

/** Returns a logger of errors that may repeat many times a second. Each message is logged once per 5 s, with a count. */
export function errorsSeldom(log: Pick<Logger, 'error'>): (error: unknown, message: string) => void {
  const logged = new Map<string, { atMs: number; suppressed: number }>();
  return (error, message) => {
    const before = logged.get(message);
    const nowMs = performance.now();
    if (before && nowMs - before.atMs < repeatedAfterMs) {
      before.suppressed += 1;
      return;
    }
    logged.set(message, { atMs: nowMs, suppressed: 0 });
    log.error({ error: textOf(error), ...(before?.suppressed ? { suppressed: before.suppressed } : {}) }, message);
  };
}
