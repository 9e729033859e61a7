import { count } from '../contracts/tools/reports/plain.ts';
import { tell } from './command.ts';

/** Shows progress on standard error: a counter on a terminal, otherwise one line at the start. */
export function openProgress(label: string, noun: string, total?: number) {
  const onTerminal = process.stderr.isTTY === true;
  const write = (text: string) => onTerminal && process.stderr.write(`\r\u001b[K${text}`);
  if (!onTerminal) tell(total === undefined ? `${label}${noun}s from the broker` : `${label}${count(total, noun)}`);
  return {
    step: (place: number) => write(`${label}${noun} ${place}${total === undefined ? '' : ` of ${total}`}`),
    end: () => write(''),
  };
}
