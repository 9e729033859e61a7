import { setFlagsFromString } from 'node:v8';

/**
 * Four defects of V8 13 kill a process at random: a garbage collection meets a stale pointer of the Sparkplug compiler (nodejs/node#62393),
 * threads that compile WebAssembly, which PGlite is, lose a page of protected code, or free code that nobody knows any more (both
 * nodejs/node#64500), and Maglev's compiler thread crashes on a busy machine (nodejs/node#64841). `bench/crashes.ts` met none of them in
 * 1,000 starts of a gateway on Node 24.21.0 beside other work, each flag given to half of them. The reports are open, so the flags stay.
 */
const duringWork = ['--no-sparkplug', '--no-wasm-code-gc', '--no-maglev'];
export const v8Flags: readonly string[] = [...duringWork, '--no-memory-protection-keys'];

/** Node 24 has V8 13. A later V8 may refuse to start with a flag that it no longer knows. */
export const hasDefects = process.version.startsWith('v24.');

/** Sets what a process can still set. V8 reads the other flag when it starts: only PGlite needs it. */
export function setV8Flags(): void {
  if (hasDefects) for (const flag of duringWork) setFlagsFromString(flag);
}

/**
 * Replaces this process by one with the flags, unless it has them: it keeps its number, environment and open streams. It takes as long as
 * a start of Node, so a program calls it before it imports anything else. Windows cannot replace a process, and `node --watch` and a
 * debugger would lose what connects them with this one.
 */
export function restartWithV8Flags(): void {
  if (!hasDefects || v8Flags.every((flag) => process.execArgv.includes(flag))) return;
  const isDebugged = process.execArgv.some((flag) => flag.startsWith('--inspect'));
  if (process.platform === 'win32' || process.connected || isDebugged) setV8Flags();
  else process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...v8Flags, ...process.argv.slice(1)]);
}
