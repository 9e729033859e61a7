/** Writes the rules for Prometheus and the dashboard for Grafana: `npm run monitoring`. With `--check` it only compares them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { dashboardOf } from './dashboard.ts';
import { ruleFile } from './rules.ts';

const files = {
  'passerelle.rules.yaml': `# Written by npm run monitoring from deploy/monitoring/rules.ts.\n${stringify(ruleFile, { lineWidth: 0 })}`,
  'passerelle.dashboard.json': `${JSON.stringify(await dashboardOf(), null, 2)}\n`,
};

const others = process.argv.slice(2).filter((one) => one !== '--check');
if (others.length > 0) throw new Error(`Unknown option ${others.join(' ')}. There is only --check.`);
for (const [name, text] of Object.entries(files)) {
  const path = join(import.meta.dirname, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text)
    throw new Error(`deploy/monitoring/${name} is out of date. Run: npm run monitoring`);
}
