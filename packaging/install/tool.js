#!/usr/bin/env node
/**
 * Runs one of the programs of tools.js. It is linked to node_modules/.bin under the name of each, so `npx biome` works. npm
 * downloads the program when it is first used, and keeps it in its own cache.
 */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { tools } from './tools.js';

const [, link, ...args] = process.argv;
const name = basename(link, '.js');
const { status, error } = spawnSync('npm', ['exec', '--yes', `--package=${tools[name]}`, '--', name, ...args], {
  stdio: 'inherit',
});
if (error) throw error;
process.exitCode = status ?? 1;
