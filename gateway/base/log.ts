import { createRequire } from 'node:module';
import pino, { type Logger as PinoLogger } from 'pino';
import { hasPackage } from './has-package.ts';

export type Logger = PinoLogger;

/** Logs to standard error, so that standard output is free for what a script reads: JSON lines, readable on a terminal. */
export function openLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY || !hasPackage('pino-pretty')) return pino(options, pino.destination(2));
  // Loaded where it is needed only: most processes have no terminal.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pino(
    options,
    pretty({ destination: 2, colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname', singleLine: true }),
  );
}

/** What an error says. Not the error itself: those of Redis carry the command that failed, with a password in it. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}

/** Logs an error that may come many times a second: one line in a while for each message, with how many went unsaid. */
export function errorsSeldom(log: Pick<Logger, 'error'>, everyMs = 5000): (error: unknown, message: string) => void {
  const said = new Map<string, { atMs: number; unsaid: number }>();
  return (error, message) => {
    const before = said.get(message);
    const nowMs = performance.now();
    if (before && nowMs - before.atMs < everyMs) {
      before.unsaid += 1;
      return;
    }
    said.set(message, { atMs: nowMs, unsaid: 0 });
    log.error({ error: textOf(error), ...(before?.unsaid ? { unsaid: before.unsaid } : {}) }, message);
  };
}
