#!/usr/bin/env node
// The published command. Says in plain words what an older Node would say as a syntax error.
import module from 'node:module';

const needed = module
  .createRequire(import.meta.url)('../package.json')
  .engines.node.replace('>=', '');
const [major, minor] = needed.split('.').map(Number);
const [ours, ourMinor] = process.versions.node.split('.').map(Number);
if (ours > major || (ours === major && ourMinor >= minor)) {
  // Compiled code is kept for the next start.
  module.enableCompileCache();
  await import('./passerelle.js');
} else {
  process.stderr.write(`passerelle: it needs Node ${needed} or newer, and this is ${process.version}.\n`);
  process.exitCode = 2;
}
