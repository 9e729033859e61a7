import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '../../documents/services.ts';
import { answerWithMessage, isEndToEnd } from '../verification/answers.ts';
import { type PactResults, runPact } from '../verification/pact.ts';
import type { Problem } from '../verification/result.ts';
import { problemsIn } from '../verification/run.ts';
import type { JsonMessage, JsonReply } from './alternative.ts';
import type { Written, WrittenPact } from './written.ts';

/** What an interaction of a pact is to be asked about: would it pass, were this said? */
export interface Copy {
  pact: WrittenPact;
  interaction: WrittenPact['interactions'][number];
  said: { reply: JsonReply } | { message: Omit<JsonMessage, 'event'> };
}

const messagePath = '/messages';

/** Asks Pact's verifier about each copy, in one run: the problems that it finds, in the order given. */
export async function replay(provider: Provider, copies: readonly Copy[]): Promise<Problem[][]> {
  if (copies.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-assumptions-'));
  const server = createServer((request, response) => void answer(request, response, copies)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const results = await runPact({
      provider,
      providerBaseUrl: `http://127.0.0.1:${port}`,
      transports: [{ protocol: 'message', port, path: messagePath }],
      logLevel: 'error',
      pactUrls: await writePacts(folder, provider, copies),
    });
    return problemsOf(results, copies.length);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One file for each pact that the copies come from: the format's version goes with the file. */
async function writePacts(folder: string, provider: Provider, copies: readonly Copy[]): Promise<string[]> {
  const byPact = Map.groupBy(
    copies.map((copy, number) => ({ ...copy, number })),
    ({ pact }) => pact,
  );
  const files: string[] = [];
  for (const [{ metadata }, own] of byPact) {
    const written = (list: string) =>
      own
        .filter(({ interaction }) => interaction.list === list)
        .map(({ interaction, number }) => copyOf(interaction.written, number));
    const lists = Object.entries({ interactions: written('interactions'), messages: written('messages') });
    const pact = {
      consumer: { name: 'assumptions' },
      provider: { name: provider },
      ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
      metadata,
    };
    const file = join(folder, `${files.length}.json`);
    await writeFile(file, JSON.stringify(pact));
    files.push(file);
  }
  return files;
}

/** What the interaction expects is kept; what it asks is the number of its answer. States have no part in it. */
function copyOf(interaction: Written, number: number): Written {
  const { providerState, providerStates, provider_state: older, comments, key, pending, ...expected } = interaction;
  const description = String(number);
  return expected.response === undefined
    ? { ...expected, description }
    : { ...expected, description, request: { method: 'GET', path: `/${number}` } };
}

async function answer(request: IncomingMessage, response: ServerResponse, copies: readonly Copy[]): Promise<void> {
  const asked = Buffer.concat(await request.toArray()).toString();
  const number = request.url === messagePath ? (JSON.parse(asked) as { description: string }).description : request.url?.slice(1);
  const said = copies[Number(number)]?.said;
  if (said === undefined) {
    response.writeHead(404).end();
  } else if ('reply' in said) {
    response.writeHead(said.reply.status, sendable(said.reply.headers)).end(textOf(said.reply.body));
  } else {
    const { metadata, body } = said.message;
    answerWithMessage(response, metadata, textOf(body));
  }
}

const sendable = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isEndToEnd(name)));

const textOf = (body: unknown) => (body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));

/** Verdicts are told apart by their number. Throws where one is missing: nothing may pass unasked. */
export function problemsOf({ interactionResults: all }: PactResults, count: number): Problem[][] {
  const byNumber = new Map(all.map((verdict) => [verdict.description, verdict]));
  if (all.length !== count || byNumber.size !== count)
    throw new Error(`Pact's verifier gave ${all.length} verdicts (${byNumber.size} of their own) on ${count} answers.`);
  return Array.from({ length: count }, (_, number) => {
    const verdict = byNumber.get(String(number));
    if (!verdict) throw new Error(`Pact's verifier gave no verdict on answer ${number}.`);
    return verdict.result === 'OK' ? [] : problemsIn(verdict);
  });
}
