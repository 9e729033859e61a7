// `node packaging/install/run.js SCRIPT ARGUMENTS` runs a script on a Node that is new enough. Without a script it only sees to it that npm
// scripts find such a Node.
import { resolve } from 'node:path';
import { ensureNewerNode, runOnNewerNode } from './newer-node.js';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) ensureNewerNode();
else await runOnNewerNode(resolve(script), args);
