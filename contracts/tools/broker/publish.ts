import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { pactPaths } from '../pact-paths.ts';
import { type Limits, runPactCli, withoutSecrets } from './client.ts';
import { BrokerError, unusable } from './error.ts';
import type { Broker } from './settings.ts';

export interface Publishing extends Limits {
  broker: Broker;
  /** Pact files, or folders of them (their `.json` files, not those of folders inside). */
  pacts: readonly string[];
  /** The consumer's version; a commit's hash is best. */
  version: string;
  branch?: string;
  tags?: readonly string[];
  /** Where the build that made the pacts can be seen. */
  buildUrl?: string;
}

export interface PublishedPact {
  consumer: string;
  provider: string;
  file: string;
}

/**
 * Publishes pacts. Files of one consumer and one provider become one pact. Each pact is sent on its own: when the broker
 * refuses one (such as other content under a version that it has), those before it stay, and `output` of the BrokerError
 * names them.
 */
export async function publishPacts(publishing: Publishing): Promise<{ published: PublishedPact[]; output: string }> {
  const { broker, version, branch, tags = [], buildUrl } = publishing;
  if (!version.trim()) throw unusable("The consumer's version is missing: give one, such as its commit's hash.");
  const tag = tags.find((name) => name.includes(','));
  if (tag !== undefined) throw unusable(`The tag '${tag}' has a comma, which parts tags: give two tags.`);

  const published = await readPacts(publishing.pacts);
  const args = [
    ...[`--consumer-app-version=${version}`],
    ...(branch ? [`--branch=${branch}`] : []),
    ...(tags.length > 0 ? [`--tag=${tags.join(',')}`] : []),
    ...(buildUrl ? [`--build-url=${buildUrl}`] : []),
  ];
  const files = published.map(({ file }) => (file.startsWith('-') ? `./${file}` : file));
  const output = await runPactCli(broker, ['publish', ...files, ...args], publishing);
  return { published, output: withoutSecrets(broker, output) };
}

const named = z.object({ name: z.string().min(1) });
const pactForm = z.object({ consumer: named, provider: named });

async function readPacts(paths: readonly string[]): Promise<PublishedPact[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0) throw new BrokerError('pacts', `No pact is there in ${paths.join(', ') || 'no path at all'}.`);
  return Promise.all([...new Set(files)].map(readPact));
}

async function filesOf(path: string): Promise<string[]> {
  const files = await pactPaths(path);
  if (!files) throw new BrokerError('pacts', `'${path}' is neither a file nor a folder.`);
  return files;
}

async function readPact(file: string): Promise<PublishedPact> {
  const text = await readFile(file, 'utf8');
  const content = await Promise.resolve(text)
    .then(JSON.parse)
    .catch((error: Error) => {
      throw new BrokerError('pacts', `${file} is not JSON: ${error.message}`);
    });
  const pact = pactForm.safeParse(content);
  if (!pact.success) throw new BrokerError('pacts', `${file} is no pact: it needs consumer.name and provider.name.`);
  return { consumer: pact.data.consumer.name, provider: pact.data.provider.name, file };
}
