#!/usr/bin/env node
// The command line is TypeScript for Node 24: an older Node hands over to the one that the package `node` brings.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';

// Halves what a start costs, from the second one on.
module.enableCompileCache?.();

const main = new URL('./passerelle.ts', import.meta.url);
if (process.features.typescript) await import(main);
else handOver();

function handOver() {
  const node = createRequire(import.meta.url).resolve('node/bin/node');
  const child = spawn(node, [main.pathname, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}
