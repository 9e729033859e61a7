#!/usr/bin/env node
// The published command. On an older Node it prints one line instead of a syntax error.
import module from 'node:module';

const needed = module
  .createRequire(import.meta.url)('../package.json')
  .engines.node.replace('>=', '');
const [major, minor] = needed.split('.').map(Number);
const [current, currentMinor] = process.versions.node.split('.').map(Number);
if (current > major || (current === major && currentMinor >= minor)) {
  // Keeps compiled code for the next start.
  module.enableCompileCache();
  await import('./passerelle.js');
} else {
  process.stderr.write(`passerelle: needs Node ${needed} or newer, but this is ${process.version}.\n`);
  process.exitCode = 2;
}
