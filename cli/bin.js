#!/usr/bin/env node
// The command line is TypeScript. A Node that cannot run TypeScript starts the one from the npm package `node`.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';

// The compile cache halves the start time from the second start on.
module.enableCompileCache?.();

const main = new URL('./passerelle.ts', import.meta.url);
if (process.features.typescript) await import(main);
else runOnNewerNode();

function runOnNewerNode() {
  const node = createRequire(import.meta.url).resolve('node/bin/node');
  const child = spawn(node, [main.pathname, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}
