import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { diagnose } from '../receivers/doctor/diagnose.ts';
import { languages } from '../receivers/doctor/languages.ts';
import { documented } from '../spec/documents/documented.ts';
import { serviceNames, services } from '../spec/documents/services.ts';
import { viewGap } from '../spec/gaps/gap.ts';
import { gaps } from '../spec/gaps/gaps.ts';
import { examplesOf } from '../stubs/examples/reply.ts';
import { exitCodes } from './command.ts';
import { findGaps } from './gaps.ts';

/** A tool as agents see it. If it cannot do something, it throws `CouldNotRun`, and the agent gets the message. */
interface Tool<Input extends z.ZodObject> {
  title: string;
  description: string;
  inputSchema: Input;
  /** True if it changes nothing and runs nothing. */
  readOnly: boolean;
  run(input: z.output<Input>, signal: AbortSignal): Promise<unknown>;
}

type Register = (server: McpServer) => void;

const tool =
  <Input extends z.ZodObject>(name: string, { title, description, inputSchema, readOnly, run }: Tool<Input>): Register =>
  (server) => {
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false };
    const config = { title, description, inputSchema: inputSchema as z.ZodObject, annotations };
    server.registerTool(name, config, async (input, { mcpReq: { signal } }) => {
      try {
        // The server has checked the input by its schema.
        const found = await run(input as z.output<Input>, signal);
        return { content: [{ type: 'text', text: typeof found === 'string' ? found : JSON.stringify(found, null, 2) }] };
      } catch (error) {
        if (error instanceof CouldNotRun) return { content: [{ type: 'text', text: error.message }], isError: true };
        throw error;
      }
    });
  };

const api = z
  .enum(serviceNames)
  .describe('pos is the Point-of-Sale Integration API, cohesion the Social-Cohesion Management API');
const at = z.url({ protocol: /^https?$/ }).optional();
const place = { at: at.describe('the URL of a running stub or gateway; default PASSERELLE_URL, or the only stub that runs') };

/** An agent reads every line that it gets, and pays for it. */
const mostLines = 40;
const mostCalls = 10;

/** Each registers one tool. */
export const tools: readonly Register[] = [
  tool('search_documents', {
    title: 'What do the API documents say?',
    description:
      "Returns the lines of the two API documents that contain all the words, and the entries of the gap register: questions that the documents leave open, with this implementation's choice and its alternatives.",
    inputSchema: z.strictObject({
      words: z.string().trim().min(2).describe('such as "idempotency" or "sale status"'),
      api: api.optional(),
    }),
    readOnly: true,
    async run({ words, api: only }) {
      const asked = words.toLowerCase().split(/\s+/);
      const apis = only === undefined ? serviceNames : [only];
      const lines = apis.flatMap((name) =>
        documented[name]
          .filter(({ section, part, says }) => asked.every((word) => `${section} ${part} ${says}`.toLowerCase().includes(word)))
          .map((line) => ({ document: services[name].document, ...line })),
      );
      const open = findGaps(gaps, { provider: only, search: words })
        .map(viewGap)
        .map(({ alternatives: _, ...gap }) => gap);
      if (lines.length + open.length === 0)
        throw new CouldNotRun(`Neither the documents nor the gap register contain "${words}". Try fewer or other words.`);
      const left = Math.max(0, lines.length - mostLines) + Math.max(0, open.length - mostLines);
      const hint = left > 0 ? { left_out: left, hint: 'Add a word to find less.' } : {};
      return { lines: lines.slice(0, mostLines), open_questions: open.slice(0, mostLines), ...hint };
    },
  }),
  tool('explain_calls', {
    title: 'Why was this call refused?',
    description: `Returns the newest ${mostCalls} calls with a status that a stub or gateway received. A refusal of a stub has the advice, the document's words, the open question and an example of a correct request.`,
    inputSchema: z.strictObject({
      status: z.string().default('4xx').describe('such as 422 or 5xx'),
      operation: z.string().optional().describe('an operationId, such as createSale'),
      ...place,
    }),
    readOnly: true,
    async run({ status, operation, at: url }, signal) {
      const filters = [...option('--status', status), ...option('--operation', operation), ...option('--at', url)];
      const calls = JSON.parse(await own(['stub', 'calls', '--json', ...filters], signal)) as Record<string, unknown>[];
      return calls.slice(-mostCalls).map((call) => ({
        ...call,
        ...(call.requestBody !== undefined && { requestBody: parsed(call.requestBody) }),
        ...(call.responseBody !== undefined && { responseBody: parsed(call.responseBody) }),
      }));
    },
  }),
  tool('example_reply', {
    title: 'What does a reply look like?',
    description:
      'Returns a reply of the reference implementation, with what led to it. Without `wanted` it lists the causes and statuses of the operation, and without an operation those of the API.',
    inputSchema: z.strictObject({
      api,
      operation: z.string().optional().describe('an operationId, such as createSale'),
      wanted: z.string().optional().describe('a status such as 422, or the name of an example such as insufficient_stock'),
    }),
    readOnly: true,
    async run({ api: name, operation, wanted }) {
      const examples = examplesOf(name);
      const own = examples.of(operation);
      if (wanted === undefined)
        return own.map(({ operation: of, name: called, cause, status }) => ({ operation: of, name: called, cause, status }));
      if (operation === undefined) throw new CouldNotRun('Name the operation of the wanted example.');
      const found = examples.find(operation, wanted);
      if (!found) throw new CouldNotRun(`${operation} has no example "${wanted}". ${examples.hint(operation, wanted)}`);
      return found;
    },
  }),
  tool('check_signature', {
    title: 'Why does this signature not match?',
    description:
      'Verifies the signature of a webhook. If it is invalid, tries the common mistakes, names the one that explains it, and how to mend it in a language.',
    inputSchema: z.strictObject({
      raw_body: z.string().describe('the body as it was received, byte for byte'),
      headers: z.record(z.string(), z.string()).describe('the headers of the request'),
      secret: z.string().optional().describe('default: PASSERELLE_SIGNING_SECRET, which the agent need not see'),
      language: z.enum(languages).optional(),
    }),
    readOnly: true,
    async run({ raw_body, headers, secret = process.env.PASSERELLE_SIGNING_SECRET, language }) {
      if (secret === undefined) throw new CouldNotRun('No secret is given: pass `secret` or set PASSERELLE_SIGNING_SECRET.');
      return diagnose({ rawBody: Buffer.from(raw_body), headers, secrets: [secret], language });
    },
  }),
  tool('faults', {
    title: 'Play a fault',
    description:
      'Lists, adds or removes faults of a running stub: refusals, delays, broken and lost replies, lost webhooks. Rules are texts such as createSale:status=503,times=1 or "*:delay=2s". Returns the faults after it.',
    inputSchema: z.strictObject({
      action: z.enum(['list', 'add', 'remove', 'clear']).default('list'),
      values: z.array(z.string()).default([]).describe('rules to add, or ids to remove'),
      ...place,
    }),
    readOnly: false,
    run: async ({ action, values, at: url }, signal) =>
      JSON.parse(await own(['stub', 'faults', action, '--json', ...option('--at', url), '--', ...values], signal)),
  }),
  tool('examine_suite', {
    title: 'Ask about a test suite',
    description:
      'Runs a test command with stubs and answers one question. coverage: which operations, statuses, events and open questions does it meet? probe: on which of our choices, where the documents are silent, does it depend? Takes as long as the suite; probe many times as long.',
    inputSchema: z.strictObject({
      question: z.enum(['coverage', 'probe']),
      apis: z.array(api).min(1).describe('the APIs that the suite calls'),
      command: z.array(z.string()).min(1).describe('the command and its arguments, such as ["npm", "test"]'),
    }),
    readOnly: false,
    run: ({ question, apis, command }, signal) => own([question, ...apis, '--', ...command], signal),
  }),
];

/** A body as JSON, so that the agent need not read escaped quotes. */
function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : body;
  } catch {
    return body;
  }
}

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);

/** Runs a command of this program. Returns what it writes; a check that failed is an answer. Throws `CouldNotRun`. */
async function own(args: readonly string[], signal: AbortSignal): Promise<string> {
  const program = process.argv.slice(1, 2);
  const child = spawn(process.execPath, [...program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => {});
    child.on('close', resolve);
  });
  const [said, told, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
  if (code === exitCodes.ok || code === exitCodes.failed) return said;
  // An agent passes fields, not options.
  const why = told
    .replace(/^passerelle: /, '')
    .replaceAll('with --at', 'as `at`')
    .trim();
  throw new CouldNotRun(why || `passerelle ${args.join(' ')} ended with ${code}.`);
}
