/** What v8-flags.test.ts runs. */
import { restartWithV8Flags } from '../../gateway/base/v8-flags.ts';

restartWithV8Flags();
const { pid, execArgv, argv } = process;
process.stdout.write(JSON.stringify({ pid, execArgv, args: argv.slice(2) }));
