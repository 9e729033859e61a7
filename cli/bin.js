#!/usr/bin/env node
// The command line is TypeScript. On a Node that is too old it runs on the one that npm ci installed.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { runOnNewerNode } from '../packaging/install/newer-node.js';

// The compile cache halves the start time from the second start on.
module.enableCompileCache?.();

await runOnNewerNode(fileURLToPath(new URL('./passerelle.ts', import.meta.url)), process.argv.slice(2));
