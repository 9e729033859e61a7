/** Writes the tables that other files determine into their pages, and the chart's schema: `node test/docs/write-tables.ts`. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valuesSchema } from '../../deploy/helm/values-schema.ts';
import { alertRules as prometheusRules } from '../../deploy/monitoring/rules.ts';
import { alertRules } from '../../gateway/alerts/rules.ts';
import { settings } from '../../gateway/start/config.ts';
import { alertRuleNames } from '../../gateway/store/tables/alerts.ts';
import { reasons } from '../../gateway/webhooks/model/reasons.ts';
import { testNumbers } from '../../stubs/payments/test-numbers.ts';
import { fences, readGuide } from './guide.ts';
import { referencePages } from './reference-pages.ts';

const root = join(import.meta.dirname, '../..');

/** Each test helper with the part of a sample that it contains, which checks signatures: from this line until that one. */
const helperParts: Readonly<Record<string, [sample: string, from: string, until: string]>> = {
  'stubs/helpers/passerelle.py': ['receiver.py', 'def refusal', 'class Receiver'],
  'stubs/helpers/passerelle.php': ['receiver.php', '/** Returns why', '$secrets ='],
  'stubs/helpers/passerelle.rb': ['receiver.rb', '# Returns why', 'secrets ='],
  'stubs/helpers/passerelle.go': ['receiver.go', '// refusal returns', '// known has'],
  'stubs/helpers/Stub.java': ['Receiver.java', '    /** Returns why', '    static void receive'],
  'stubs/helpers/Stub.cs': ['Receiver.cs', '    /// <summary>Returns why', '    static void Receive'],
};

/** Each page with its table as it must be, the last one with such headings, and the schema of the chart's values. */
export const pagesWithTables: Readonly<Record<string, () => string>> = {
  'docs/reference/settings.md': () =>
    withTable(readGuide('docs/reference/settings.md'), ['setting', 'default', 'what it does'], settingsRows()),
  'docs/operators/metrics.md': () =>
    withTable(readGuide('docs/operators/metrics.md'), ['alert', 'severity', 'fires when', 'what to do'], prometheusRows()),
  'docs/partners/mobile-money.md': () =>
    withTable(readGuide('docs/partners/mobile-money.md'), ['test number', 'what happens', 'rule'], testNumberRows()),
  ...Object.fromEntries(
    globSync('docs/partners/receiver-*.md', { cwd: root }).map((page) => [page, () => withSamples(readGuide(page))]),
  ),
  ...Object.fromEntries(Object.keys(helperParts).map((file) => [file, () => withVerification(file)])),
  'docs/troubleshooting.md': () =>
    withTable(readGuide('docs/troubleshooting.md'), ['reason', '', 'what it means', 'what to do'], reasonRows()),
  'docs/alerts.md': () => withTable(readGuide('docs/alerts.md'), ['rule', 'opens when', 'over when', 'severity'], alertRows()),
  ...referencePages,
  ...Object.fromEntries(globSync('docs/fr/**/*.md', { cwd: root }).map((page) => [page, () => withCodeOfOriginal(page)])),
  'docs/llms.txt': () => llmsText(),
  'deploy/helm/passerelle/values.schema.json': () => `${JSON.stringify(valuesSchema, null, 2)}\n`,
};

/** Replaces each block of a translation by the original's block in the same place. */
function withCodeOfOriginal(page: string): string {
  const blocks = readGuide(page.replace('docs/fr/', 'docs/')).match(fences) ?? [];
  return readGuide(page).replace(fences, () => blocks.shift() ?? '');
}

function withTable(text: string, headings: string[], rows: string[][]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |');
  const start = text.lastIndexOf(row(headings));
  if (start < 0) throw new Error(`The page has no table with the headings ${row(headings)}`);
  const end = text.indexOf('\n\n', start);
  const after = end < 0 ? '' : text.slice(end + 1);
  return `${text.slice(0, start)}${row(headings)}|${'---|'.repeat(headings.length)}\n${rows.map(row).join('')}${after}`;
}

/** The list of guides for agents (llmstxt.org): each with the first sentence after its title. */
function llmsText(): string {
  const pages = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/decisions/**', 'docs/fr/**', 'docs/spec/**'] }).toSorted();
  const lines = pages.map((page) => {
    const [, title = '', after = ''] = /^# (.*)\n\n([\s\S]*?)(?:\n\n|$)/.exec(readGuide(page)) ?? [];
    const [sentence = ''] = /^(?:[A-Z]|`\w)[^:|]*?\.(?=\s|$)/.exec(after) ?? [];
    return `- [${title}](${page.replace('docs/', '')})${sentence && `: ${sentence.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`}`;
  });
  const [about = ''] = /^[^#\n![][^\n]*(?:\n[^\n]+)*/m.exec(readGuide('README.md')) ?? [];
  return [
    '# Passerelle',
    `> ${about.replaceAll('\n', ' ').replaceAll(/, \[document\]\([^)]*\)/g, '')}`,
    `## Guides\n\n${lines.join('\n')}\n`,
  ].join('\n\n');
}

/** Where the part of each sample that a guide shows begins, and what follows it. */
const shownParts: Readonly<Record<string, [from: string, until: string]>> = {
  'http.ts': ['const server', 'server.listen'],
  'fastify.ts': ['const app', 'await app.listen'],
  'receiver.php': ['/** Returns why', '$secrets ='],
  'receiver.py': ['def refusal', 'class Receiver'],
  'receiver.go': ['// refusal returns', '// only returns'],
  'Receiver.java': ['    /** Returns why', '    /** A repeated header'],
  'Receiver.cs': ['    /// <summary>Returns why', '    static void Receive'],
  'receiver.rb': ['# Returns why', 'secrets ='],
};

/** Fills each block that names a sample, such as `php receiver.php`, with the part that is shown. */
const withSamples = (text: string) =>
  text.replace(/^(```\w+ (.+)\n)[\s\S]*?^```$/gm, (block, start: string, name: string) => {
    const part = shownParts[name];
    if (!part) return block;
    return `${start}${partOf(name, ...part)}\n\`\`\``;
  });

/** The lines of a sample from one that begins so until one that begins so. */
function partOf(sample: string, from: string, until: string): string {
  const [, after = ''] = `\n${readGuide(`receivers/samples/${sample}`)}`.split(`\n${from}`);
  const [lines = ''] = `${from}${after}`.split(`\n${until}`);
  return lines.trimEnd();
}

/** Fills a helper between its two marks, as far to the right as they are. */
function withVerification(file: string): string {
  const [sample, from, until] = helperParts[file] as [string, string, string];
  const marks = /^( *)(\S+ From receivers\/samples\/.*\n)[\s\S]*?^( *\S+ Until here\.)$/m;
  return readGuide(file).replace(marks, (_all, indent: string, start: string, end: string) => {
    const missing = indent.slice(/^ */.exec(from)?.[0].length);
    return `${indent}${start}${partOf(sample, from, until).replaceAll(/^(?=.)/gm, missing)}\n\n${end}`;
  });
}

const code = (text: string) => (text === '' ? '' : `\`${text}\``);

const settingsRows = () => Object.entries(settings).map(([name, { default: value, does }]) => [code(name), code(value), does]);

const prometheusRows = () =>
  prometheusRules.map(({ alert, severity, summary, action }) => [code(alert), severity, summary, action]);

/** The rules with their defaults. */
const alertRows = () =>
  alertRuleNames.map((name) => [code(name), alertRules[name].opens, alertRules[name].resolves, alertRules[name].severity]);

/** Why a delivery has not arrived. The others say who asked for an attempt. */
const reasonRows = () =>
  reasons
    .filter(({ kind }) => kind !== 'operator')
    .map(({ reason, kind, meaning, advice }) => [
      code(reason),
      kind === 'error' ? 'failed attempt' : kind,
      meaning,
      advice ?? '',
    ]);

const testNumberRows = () => testNumbers.map(({ phone, does, rule }) => [code(phone), does, code(rule)]);

if (import.meta.main) for (const [page, text] of Object.entries(pagesWithTables)) writeFileSync(join(root, page), text());
