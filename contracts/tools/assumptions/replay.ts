import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServiceName } from '../../../spec/documents/services.ts';
import type { JsonMessage } from '../../../spec/gaps/is/is.ts';
import type { JsonReply } from '../../../spec/json.ts';
import { inTemporaryFolder } from '../temporary.ts';
import { answerWithMessage, endToEnd } from '../verification/answers.ts';
import { type PactResults, runPact } from '../verification/pact.ts';
import type { Problem } from '../verification/result.ts';
import { problemsIn } from '../verification/run.ts';
import { type PactSource, textOf as textOfFile } from '../verification/sources.ts';

/** The JSON of one interaction in a pact file, with its matching rules. */
type Written = Record<string, unknown>;

export interface WrittenPact {
  metadata: unknown;
  /** In the file's order: first `interactions`, then `messages` of older pacts. */
  interactions: { list: 'interactions' | 'messages'; written: Written }[];
}

const list = z.array(z.record(z.string(), z.unknown())).default([]);
const pactShape = z.looseObject({ interactions: list, messages: list, metadata: z.unknown().optional() });

export async function readWritten({ file }: PactSource): Promise<WrittenPact> {
  const pact = pactShape.parse(JSON.parse(textOfFile(await readFile(file))));
  const of = (name: 'interactions' | 'messages') => pact[name].map((written) => ({ list: name, written }));
  return { metadata: pact.metadata, interactions: [...of('interactions'), ...of('messages')] };
}

/** An interaction and an answer that Pact's verifier compares with it. */
export interface Copy {
  pact: WrittenPact;
  interaction: WrittenPact['interactions'][number];
  answer: { reply: JsonReply } | { message: Omit<JsonMessage, 'event'> };
}

const messagePath = '/messages';

/** Runs Pact's verifier once over all copies. Returns the problems of each copy, in their order. */
export async function replay(provider: ServiceName, copies: readonly Copy[]): Promise<Problem[][]> {
  if (copies.length === 0) return [];
  const server = createServer((request, response) => void sendAnswer(request, response, copies)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const results = await inTemporaryFolder('assumptions', async (folder) =>
      runPact({
        provider,
        providerBaseUrl: `http://127.0.0.1:${port}`,
        transports: [{ protocol: 'message', port, path: messagePath }],
        logLevel: 'error',
        pactUrls: await writePacts(folder, provider, copies),
      }),
    );
    return problemsOf(results, copies.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Writes one file for each original pact, because the format's version belongs to the file. */
async function writePacts(folder: string, provider: ServiceName, copies: readonly Copy[]): Promise<string[]> {
  const numbered = copies.map(({ pact, interaction: { list, written } }, number) => ({
    pact,
    list,
    copy: copyOf(written, number),
  }));
  const files: string[] = [];
  for (const [{ metadata }, own] of Map.groupBy(numbered, ({ pact }) => pact)) {
    const lists = [...Map.groupBy(own, ({ list }) => list)].map(([list, some]) => [list, some.map(({ copy }) => copy)]);
    const names = { consumer: { name: 'assumptions' }, provider: { name: provider } };
    const pact = { ...names, ...Object.fromEntries(lists), metadata };
    const file = join(folder, `${files.length}.json`);
    await writeFile(file, JSON.stringify(pact));
    files.push(file);
  }
  return files;
}

/** Returns the interaction with its expectations, but with a request for answer `number` and without states. */
function copyOf(interaction: Written, number: number): Written {
  const { providerState, providerStates, provider_state: older, comments, key, pending, ...expected } = interaction;
  const description = String(number);
  return expected.response === undefined
    ? { ...expected, description }
    : { ...expected, description, request: { method: 'GET', path: `/${number}` } };
}

async function sendAnswer(request: IncomingMessage, response: ServerResponse, copies: readonly Copy[]): Promise<void> {
  const asked = Buffer.concat(await request.toArray()).toString();
  const number = request.url === messagePath ? (JSON.parse(asked) as { description: string }).description : request.url?.slice(1);
  const answer = copies[Number(number)]?.answer;
  if (answer === undefined) {
    response.writeHead(404).end();
  } else if ('reply' in answer) {
    response.writeHead(answer.reply.status, endToEnd(answer.reply.headers)).end(textOf(answer.reply.body));
  } else {
    const { metadata, body } = answer.message;
    answerWithMessage(response, metadata, textOf(body));
  }
}

const textOf = (body: unknown) => (body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));

/** Assigns verdicts to copies by their number. Throws if one is missing, so that no copy passes unchecked. */
export function problemsOf({ interactionResults: all }: PactResults, count: number): Problem[][] {
  const byNumber = new Map(all.map((verdict) => [verdict.description, verdict]));
  if (all.length !== count || byNumber.size !== count)
    throw new Error(`Pact's verifier returned ${all.length} verdicts (${byNumber.size} different) for ${count} answers.`);
  return Array.from({ length: count }, (_, number) => {
    const verdict = byNumber.get(String(number));
    if (!verdict) throw new Error(`Pact's verifier returned no verdict for answer ${number}.`);
    return verdict.result === 'OK' ? [] : problemsIn(verdict);
  });
}
