import { count } from '../contracts/tools/reports/plain.ts';
import { tell } from './command.ts';

/** Shows progress on standard error: a counter on a terminal, otherwise one line at the start. */
export function openProgress(provider: string, total: number) {
  const onTerminal = process.stderr.isTTY === true;
  const write = (text: string) => onTerminal && process.stderr.write(`\r\u001b[K${text}`);
  if (!onTerminal) tell(`${provider}: ${count(total, 'interaction')}`);
  return {
    step: (place: number) => write(`${provider}: interaction ${place} of ${total}`),
    end: () => write(''),
  };
}
