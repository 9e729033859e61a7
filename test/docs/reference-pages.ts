/** The pages in docs/reference that are written from the code alone. */
import type { Command } from 'commander';
import { everywhere } from '../../cli/program.ts';
import { withPackages } from '../../cli/with-packages.ts';
import { type RefusalKind, usualStatus } from '../../gateway/base/errors.ts';
import { type ServiceName, serviceNames, services } from '../../spec/documents/services.ts';
import { eventsOf, operationsOf } from '../../spec/openapi/operations.ts';
import { examplesOf } from '../../stubs/examples/reply.ts';
import { refusalCodes } from './refusal-codes.ts';

const note = '<!-- Written by test/docs/write-tables.ts. Change the code instead. -->';

/** One cell of a table. */
const cell = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const table = (headings: string[], rows: string[][]) =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = (text: string) => `\`${text}\``;

/** The commands of each page. */
const commandPages: Readonly<Record<string, { title: string; names: readonly string[] }>> = {
  stub: { title: 'Commands for a stub', names: ['stub', 'seed'] },
  tests: { title: 'Commands for test suites', names: ['run', 'pact', 'coverage', 'probe'] },
  webhooks: {
    title: 'Commands for webhooks',
    names: ['trigger', 'listen', 'doctor', 'receiver'],
  },
  documents: { title: 'Commands for the documents', names: ['gaps', 'observe', 'mcp'] },
  pacts: { title: 'Commands for pacts, and the gateway', names: ['verify', 'compare', 'assumptions', 'states', 'gateway'] },
};

const loads = { ...everywhere, ...withPackages };
const commands = new Map(
  await Promise.all(Object.entries(loads).map(async ([name, load]) => [name, await load()] as [string, Command])),
);
const listed = Object.values(commandPages).flatMap(({ names }) => names);
const unlisted = [...commands.keys()].filter((name) => !listed.includes(name));
if (unlisted.length > 0) throw new Error(`Add to a page of commandPages: ${unlisted.join(', ')}.`);

/** The section of a command that does something, or those of its own commands. */
function commandSections(command: Command, before = 'passerelle'): string[] {
  const name = `${before} ${command.name()}`;
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description, defaultValue }) => [
      code(flags),
      `${description}${['string', 'number'].includes(typeof defaultValue) ? ` (default: ${defaultValue})` : ''}`,
    ]);
  const parts = [`## ${name}`, command.description(), code(`${name} ${command.usage()}`)];
  const own = command.registeredArguments.length > 0 || rows.length > 0;
  const sections = own ? [...parts, ...(rows.length > 0 ? [table(['option', 'what it does'], rows)] : [])] : [];
  return [...sections, ...command.commands.flatMap((one) => commandSections(one, name))];
}

const commandPage = ({ title, names }: { title: string; names: readonly string[] }) =>
  [
    `# ${title}`,
    'Every command with its options, as its `--help` shows them.',
    ...names.flatMap((name) => commandSections(commands.get(name) as Command)),
  ].join('\n\n');

/** The text by which a client tells refusals apart: the code of pos, the message of cohesion. */
function tellingText(body: unknown): string {
  const { error, message } = body as { error?: { code: string }; message?: string };
  return error ? code(error.code) : (message ?? '');
}

function refusalSection(api: ServiceName): string {
  const rows = new Map<string, { row: string[]; operations: string[] }>();
  for (const { name, cause, status, body, operation } of examplesOf(api).all.filter((one) => one.status >= 400)) {
    const row = [code(name), String(status), tellingText(body), cause];
    const { operations } = rows.get(row.join()) ?? { operations: [] };
    rows.set(row.join(), { row, operations: [...operations, operation] });
  }
  const all = operationsOf(api).length;
  const of = (operations: string[]) => (operations.length === all ? 'all' : operations.map(code).join(', '));
  const sorted = [...rows.values()].toSorted((one, other) => Number(one.row[1]) - Number(other.row[1]));
  return `## ${services[api].title}\n\n${table(
    ['cause', 'status', api === 'pos' ? 'code' : 'message', 'when', 'operations'],
    sorted.map(({ row, operations }) => [...row, of(operations)]),
  )}`;
}

function codeSection(): string {
  const rows = Object.entries(refusalCodes).flatMap(([kind, codes]) =>
    Object.entries(codes).map(([name, when]) => [code(name), String(usualStatus[kind as RefusalKind]), when]),
  );
  const about =
    'The management API and the profile API answer with `{"error": {"code", "message", "details", "docs"}}`, where `docs` is the path of this section. Their operations are in `/docs/manage.json` and `/docs/profile.json`. A value that no schema can refuse (400) has the rule that it breaks as its code, such as `url_not_public`, and the message says what to do. The other codes:';
  return `## Management and profile\n\n${about}\n\n${table(['code', 'status', 'when'], rows)}`;
}

const refusalPage = () =>
  [
    '# Refusals',
    "Every refusal of the two APIs, by its cause, and the codes of the gateway's own APIs. A stub answers with one on request: `Prefer: example=insufficient_stock` ([Faults](../partners/faults.md#examples)).",
    ...serviceNames.map(refusalSection),
    codeSection(),
  ].join('\n\n');

interface Schema {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  anyOf?: Schema[];
}

const typeOf = ({ type, format, const: only, enum: values, anyOf }: Schema): string => {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(', ');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  return format ?? [type ?? 'any'].flat().join(' or ');
};

/** The fields of an object and of those in it, by their paths. */
const fieldsOf = ({ properties = {}, required = [] }: Schema, before = ''): string[][] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    const inner = schema.items ?? schema;
    const row = [code(path), typeOf(schema), `${required.includes(name) ? '' : 'May be missing. '}${schema.description ?? ''}`];
    return [row, ...fieldsOf(inner, `${path}${schema.items ? '[].' : '.'}`)];
  });

function eventPage(api: ServiceName): string {
  const sections = Object.entries(eventsOf(api)).flatMap(([type, { summary, requestBody }]) => {
    const content = requestBody?.content?.['application/json'];
    const { schema, example } = content as unknown as { schema: Schema; example: { data: unknown } };
    const data = schema.properties?.data ?? {};
    return [
      `## ${type}`,
      `${summary}.`,
      table(['field of `data`', 'type', ''], fieldsOf(data)),
      `\`\`\`json\n${JSON.stringify(example.data)}\n\`\`\``,
    ];
  });
  return [
    `# Events of ${services[api].title}`,
    'Each webhook has `event` (the type), `delivered_at`, and `data` with these fields ([Receive webhooks](../partners/receive-webhooks.md)).',
    ...sections,
  ].join('\n\n');
}

/** Each page with its text as it must be. */
export const referencePages: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries({
    ...Object.fromEntries(Object.entries(commandPages).map(([name, page]) => [`commands-${name}`, () => commandPage(page)])),
    refusals: refusalPage,
    ...Object.fromEntries(serviceNames.map((api) => [`events-${api}`, () => eventPage(api)])),
  }).map(([name, text]) => [`docs/reference/${name}.md`, () => `${text()}\n\n${note}\n`]),
);
