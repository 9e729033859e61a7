import { count } from '../contracts/tools/verification/reports/plain.ts';
import { tell } from './command.ts';

/** Says on standard error how far a command is: one line that counts on a terminal; elsewhere one line at the start. */
export function openProgress(label: string, what: string, total?: number) {
  const onTerminal = process.stderr.isTTY === true;
  const write = (text: string) => onTerminal && process.stderr.write(`\r\u001b[K${text}`);
  if (!onTerminal) tell(total === undefined ? `${label}${what}s of a broker` : `${label}${count(total, what)}`);
  return {
    step: (place: number) => write(`${label}${what} ${place}${total === undefined ? '' : ` of ${total}`}`),
    end: () => write(''),
  };
}
