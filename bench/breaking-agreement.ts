/**
 * Compares the verdicts of `passerelle breaking` with those that oasdiff's own tests expect, for the pairs of documents in its repository:
 * `node bench/breaking-agreement.ts FOLDER`, where FOLDER is a checkout of github.com/oasdiff/oasdiff. Only tests that
 * read two files and change neither of them in memory are compared: the others compare documents that no file has.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareDocuments } from '../contracts/tools/breaking/compare.ts';
import { readDocument } from '../contracts/tools/breaking/read.ts';

const [folder = ''] = process.argv.slice(2);
if (!existsSync(join(folder, 'checker/rules.go'))) {
  process.stderr.write('Give a checkout of github.com/oasdiff/oasdiff: node bench/breaking-agreement.ts FOLDER\n');
  process.exit(2);
}
const source = (name: string) => readFileSync(join(folder, 'checker', name), 'utf8');

/** The worst of them comes first. Oasdiff's words for them are ERR, WARN and INFO. */
const severities = ['breaking', 'risky', 'harmless'] as const;
type Severity = (typeof severities)[number];
const levels = { ERR: 'breaking', WARN: 'risky', INFO: 'harmless' } as const;
const worst = (all: readonly Severity[]): Severity => severities.find((one) => all.includes(one)) ?? 'harmless';

const levelOf = new Map(
  [...source('rules.go').matchAll(/newBackwardCompatibilityRule\((\w+), (ERR|WARN|INFO)/g)].map(([, rule = '', level]) => [
    rule,
    levels[level as keyof typeof levels],
  ]),
);

interface Expected {
  test: string;
  base: string;
  revision: string;
  rules: string[];
  severity: Severity;
}

function expectedBy([, test = '', body = '']: RegExpExecArray): Expected[] {
  const [base, revision, ...more] = [...body.matchAll(/open\("\.\.\/(data\/checker\/[^"]+)"\)/g)].map(([, file = '']) => file);
  const rules = [...new Set([...body.matchAll(/checker\.(\w+Id)\b/g)].map(([, rule = '']) => rule))];
  const found = rules.flatMap((rule) => levelOf.get(rule) ?? []);
  const isChanged = /\bs[12]\.Spec\b[^\n]*=[^=]|delete\(|Set\(|\.Delete\(/.test(body);
  if (!base || !revision || base === revision || more.length > 0 || isChanged || found.length === 0) return [];
  return [{ test, base, revision, rules, severity: worst(found) }];
}

const tests = readdirSync(join(folder, 'checker')).filter((name) => name.endsWith('_test.go'));
const expected = tests.flatMap((name) => [...source(name).matchAll(/^func (Test\w+)\([^\n]*\n(.*?)^\}/gms)].flatMap(expectedBy));

const counts: Record<Severity, Record<Severity, number>> = {
  breaking: { breaking: 0, risky: 0, harmless: 0 },
  risky: { breaking: 0, risky: 0, harmless: 0 },
  harmless: { breaking: 0, risky: 0, harmless: 0 },
};
const differences: string[] = [];
for (const { test, base, revision, rules, severity } of expected) {
  const [old, current] = await Promise.all([base, revision].map((file) => readDocument(join(folder, file), 10_000)));
  if (!old || !current) continue;
  const { changes } = compareDocuments(old, current, { failOn: 'breaking', today: '2026-01-01' });
  const ours = worst(changes.map((one) => one.severity));
  counts[severity][ours] += 1;
  const found = [...new Set(changes.map((one) => `${one.severity} ${one.rule}`))].join(', ') || 'nothing';
  if (ours !== severity) differences.push(`${test}: oasdiff ${severity} (${rules.join(', ')}), ours ${ours} (${found})`);
}
const rows = severities.map((theirs) => [theirs, ...severities.map((ours) => counts[theirs][ours])].join('\t'));
const table = [
  `${expected.length} pairs of documents. Oasdiff's verdicts, and ours beside them:`,
  `\t${severities.join('\t')}`,
  ...rows,
];
process.stdout.write(`${[...table, ...differences.sort()].join('\n')}\n`);
