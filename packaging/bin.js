#!/usr/bin/env node
// The published command. Says in plain words what an older Node would say as a syntax error.
import { createRequire } from 'node:module';

const needed = createRequire(import.meta.url)('../package.json').engines.node.replace('>=', '');
const [major, minor] = needed.split('.').map(Number);
const [ours, ourMinor] = process.versions.node.split('.').map(Number);
if (ours > major || (ours === major && ourMinor >= minor)) await import('./passerelle.js');
else {
  process.stderr.write(`passerelle: it needs Node ${needed} or newer, and this is ${process.version}.\n`);
  process.exitCode = 2;
}
