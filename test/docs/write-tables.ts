/** Writes the tables that other files determine into their pages: `node test/docs/write-tables.ts`. */
import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { alertRules as prometheusRules } from '../../deploy/monitoring/rules.ts';
import { conditionOf, defaultsOf, ruleOf } from '../../gateway/alerts/rules.ts';
import { settings } from '../../gateway/start/config.ts';
import { alertRuleNames } from '../../gateway/store/tables/alerts.ts';
import { anchorOf, readGuide } from './guide.ts';

const root = join(import.meta.dirname, '../..');

/** Each page with its table as it must be: the last one with such headings. */
export const pagesWithTables: Readonly<Record<string, () => string>> = {
  'docs/deploying.md': () => withTable('docs/deploying.md', ['setting', 'default', 'what it does'], settingsRows()),
  'docs/operators.md': () => withTable('docs/operators.md', ['alert', 'severity', 'fires when', 'what to do'], prometheusRows()),
  'docs/alerts.md': () => withTable('docs/alerts.md', ['rule', 'opens when', 'over when', 'severity'], alertRows()),
  'docs/decisions/README.md': () => withTable('docs/decisions/README.md', ['', 'decision', 'date'], decisionRows()),
};

function withTable(page: string, headings: string[], rows: string[][]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |');
  const text = readGuide(page);
  const start = text.lastIndexOf(row(headings));
  if (start < 0) throw new Error(`${page} has no table with the headings ${row(headings)}`);
  const end = text.indexOf('\n\n', start);
  const after = end < 0 ? '' : text.slice(end + 1);
  return `${text.slice(0, start)}${row(headings)}|${'---|'.repeat(headings.length)}\n${rows.map(row).join('')}${after}`;
}

const code = (text: string) => (text === '' ? '' : `\`${text}\``);

const settingsRows = () => Object.entries(settings).map(([name, { default: value, does }]) => [code(name), code(value), does]);

const prometheusRows = () =>
  prometheusRules.map(({ alert, severity, summary, action }) => [code(alert), severity, summary, action]);

/** The rules with their defaults. */
const alertRows = () =>
  alertRuleNames.map((name) => [code(name), conditionOf(defaultsOf(name)), ruleOf(name).resolves, ruleOf(name).severity]);

/** A decision is a section of its area's page: `## 001: Title`, then its date. */
const decisionRows = () =>
  globSync('docs/decisions/[a-z]*.md', { cwd: root })
    .flatMap((path) =>
      [...readGuide(path).matchAll(/^## (.*)\n\n(.*)/gm)].map(([section, heading = '', date = '']) => {
        const [, number, title] = /^(\d{3}): (.+)$/.exec(heading) ?? [];
        if (!number || !title || !/^\d{4}-\d\d-\d\d/.test(date))
          throw new Error(`${path} has a section without "## 001: Title" and a date: ${section}`);
        return [`[${number}](${basename(path)}#${anchorOf(heading)})`, title, date.slice(0, 10)];
      }),
    )
    .sort(([one = ''], [other = '']) => one.localeCompare(other));

if (import.meta.main) for (const [page, text] of Object.entries(pagesWithTables)) writeFileSync(join(root, page), text());
