/** `npm ci` runs this after it has installed the packages. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkTools } from './link-tools.ts';
import { slim } from './slim.ts';

const packages = join(import.meta.dirname, '../../node_modules');
if (!existsSync(packages)) {
  // `npm install PATH` links a clone, and does not install what it needs.
  process.stderr.write(`Run npm ci in ${dirname(packages)} first. Then install it again.\n`);
  process.exit(1);
}
slim(packages);
linkTools(packages);
