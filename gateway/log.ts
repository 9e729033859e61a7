import pino, { type Logger as PinoLogger } from 'pino';
import pretty from 'pino-pretty';

export type Logger = PinoLogger;

/** Logs to standard error, so that standard output is free for what a script reads: JSON lines, readable on a terminal. */
export function openLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination(2));
  return pino(
    options,
    pretty({ destination: 2, colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname', singleLine: true }),
  );
}
