/**
 * Runs what nobody here wrote, and prints the counts: `node bench/evidence.ts NAME FOLDER`, where FOLDER is a clone of the repository that
 * the table below names. `--write` keeps them in bench/evidence.json, of which `node test/docs/write-tables.ts` makes the tables of
 * docs/evidence.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean } from '../gateway/base/nearest.ts';
import * as brokerClient from './evidence/broker-client.ts';
import * as compatibilitySuite from './evidence/compatibility-suite.ts';
import * as generatedClients from './evidence/generated-clients.ts';
import { type Clone, cloneIn, type Evidence, lossesOf, UnusableClone } from './evidence/material.ts';
import * as pactSpecification from './evidence/pact-specification.ts';
import * as standardWebhooks from './evidence/standard-webhooks.ts';

interface Source {
  /** The repository on GitHub whose clone is needed; none if npm has all. */
  repository?: string;
  /** `more`: further arguments. */
  run(clone: Clone, more: readonly string[]): Promise<Evidence[]>;
}

const sources: Record<string, Source> = {
  'broker-client': brokerClient,
  'standard-webhooks': standardWebhooks,
  'pact-specification': pactSpecification,
  'compatibility-suite': compatibilitySuite,
  'generated-clients': generatedClients,
};

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean', default: false } }, allowPositionals: true });
const [name = '', folder = '', ...more] = positionals;
const source = sources[name];
if (source === undefined || (folder === '' && source.repository !== undefined)) {
  const known = Object.entries(sources).map(
    ([one, { repository }]) => `  ${one}${repository ? `, of github.com/${repository}` : ', without a clone'}\n`,
  );
  process.stderr.write(
    `Give a name and a clone: node bench/evidence.ts NAME FOLDER [--write]. ${didYouMean(name, Object.keys(sources))}\n${known.join('')}`,
  );
  process.exit(2);
}
const refuse = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};
const rows = await Promise.try(() => source.run(cloneIn(folder, source.repository), more)).catch((error: unknown) => {
  if (error instanceof UnusableClone) return refuse(error.message);
  throw error;
});
process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
if (values.write) {
  const file = join(import.meta.dirname, 'evidence.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Evidence[]>;
  const losses = lossesOf(kept[name] ?? [], rows);
  if (losses.length > 0)
    refuse(
      `Nothing was written. ${losses.join(' ')} Run all of them, or first remove from bench/evidence.json what is gone for good.`,
    );
  writeFileSync(file, `${JSON.stringify({ ...kept, [name]: rows }, null, 2)}\n`);
}
