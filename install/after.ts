/** `npm ci` runs this after it has installed the packages. */
import { join } from 'node:path';
import { linkTools } from './link-tools.ts';
import { slim } from './slim.ts';

const packages = join(import.meta.dirname, '../node_modules');
slim(packages);
linkTools(packages);
