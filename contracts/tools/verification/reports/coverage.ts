import { inline } from '../../reports/markdown.ts';
import { count, plain, shorten, widthOf, wrap } from '../../reports/plain.ts';
import {
  type BehaviourCoverage,
  type Coverage,
  type Exercised,
  heldPercent,
  isHeld,
  type OperationCoverage,
  type Unknown,
} from '../coverage.ts';

/** One row of the table. */
interface Row {
  used: boolean;
  what: string;
  interactions: number;
  /** Such as `statuses 201 of 9`: the used items of each kind, and their number. */
  open: string;
}

const openOf = (label: string, parts: readonly Exercised[]) => {
  const open = parts.filter(({ by }) => by.length === 0).map(({ name }) => name);
  return open.length === 0 ? [] : [`${label} ${open.join(', ')}`];
};

function operationRow({ method, path, by, statuses, query, body }: OperationCoverage): Row {
  const open = [...openOf('status', statuses), ...openOf('query', query), ...openOf('body', body)];
  return {
    used: by.length > 0,
    what: `${method} ${path}`,
    interactions: by.length,
    open: by.length > 0 ? open.join('; ') : 'all of it',
  };
}

const eventRow = ({ name, by }: Exercised): Row => ({ used: by.length > 0, what: name, interactions: by.length, open: '' });

function rowsOf({ operations, events }: Coverage): Row[] {
  return [...operations.map(operationRow), ...events.map(eventRow)];
}

function summary({ operations, events }: Coverage): string {
  const used = (list: readonly { by: string[] }[]) => list.filter(({ by }) => by.length > 0).length;
  const parts = operations.flatMap(({ statuses, query, body }) => [...statuses, ...query, ...body]);
  return [
    `${used(operations)} of ${count(operations.length, 'operation')}`,
    `${used(parts)} of ${parts.length} statuses, parameters and fields`,
    `${used(events)} of ${count(events.length, 'type')} of event`,
  ].join(', ');
}

/** One line on the documented behaviours, such as `116 of 118 documented behaviours are held (98 %)`. */
export function heldSummary(coverage: Coverage): string {
  const all = coverage.behaviours;
  const byPacts = all.filter(({ by }) => by.length > 0).length;
  const byTests = all.filter((one) => one.by.length === 0 && isHeld(one)).length;
  const inTests = byTests === 0 ? '' : `, ${byTests} only by a test`;
  return `${byPacts + byTests} of ${count(all.length, 'documented behaviour')} held (${heldPercent(coverage)} %): ${byPacts} by a pact${inTests}, ${all.length - byPacts - byTests} by nothing`;
}

/** What holds a behaviour: the first holder, and the number of others. */
function holderOf({ by, tests }: BehaviourCoverage): string {
  const [first = 'nothing', ...others] = [...by, ...tests];
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

const unknownText = ({ by, what, nearest }: Unknown) => `${what} (${by})${nearest === undefined ? '' : `; nearest: ${nearest}`}`;
const consumersOf = ({ consumers }: Coverage) => (consumers.length === 0 ? 'no pact' : consumers.join(', '));

/** Formats the coverage for a terminal of this width. */
export function coverageText(coverage: Coverage, { width }: { width: number }): string {
  const rows = rowsOf(coverage);
  const column = Math.max(...rows.map(({ what }) => widthOf(what)));
  const margin = column + 12;
  const lines = rows.flatMap(({ used, what, interactions, open }) => {
    const [first = '', ...rest] = wrap(open === '' ? '' : `open: ${open}`, Math.max(20, width - margin));
    const head = `${used ? '✓' : '·'} ${what.padEnd(column)} ${String(interactions).padStart(5)}    ${first}`.trimEnd();
    return [head, ...rest.map((line) => `${' '.repeat(margin)}${line}`)];
  });
  const unknown = coverage.unknown.flatMap((one) => wrap(`  ${shorten(unknownText(one), 500)}`, width));
  const idWidth = Math.max(...coverage.behaviours.map(({ id }) => widthOf(id)));
  const held = coverage.behaviours.flatMap((one) => {
    const [first = '', ...rest] = wrap(shorten(plain(holderOf(one)), 200), Math.max(20, width - idWidth - 4));
    return [
      `${isHeld(one) ? '✓' : '·'} ${one.id.padEnd(idWidth)}  ${first}`,
      ...rest.map((line) => `${' '.repeat(idWidth + 4)}${line}`),
    ];
  });
  return [
    ...wrap(`${coverage.provider}: ${consumersOf(coverage)} use ${summary(coverage)}.`, width),
    '',
    ...lines,
    '',
    ...wrap(`${heldSummary(coverage)}.`, width),
    '',
    ...held,
    ...(unknown.length > 0 ? ['', 'Unknown to the provider:', ...unknown] : []),
    '',
  ].join('\n');
}

/** Formats the coverage as Markdown. */
export function coverageMarkdown(coverage: Coverage): string {
  const rows = rowsOf(coverage).map(
    ({ used, what, interactions, open }) =>
      `| ${used ? '✓' : ''} | <code>${inline(what)}</code> | ${interactions} | ${inline(open)} |`,
  );
  const held = coverage.behaviours.map(
    (one) =>
      `| ${isHeld(one) ? '✓' : ''} | <code>${inline(one.id)}</code> | ${inline(one.says)} | ${inline(shorten(plain(holderOf(one)), 200))} |`,
  );
  const unknown = coverage.unknown.map((one) => `- <code>${inline(shorten(unknownText(one), 500))}</code>`);
  return [
    `## Coverage of ${coverage.provider} by the pacts`,
    `${coverage.consumers.map((name) => `<code>${inline(plain(name))}</code>`).join(', ') || 'No pact'}: ${summary(coverage)}.`,
    ['| | operation or event | interactions | open |', '|---|---|---:|---|', ...rows].join('\n'),
    `### Documented behaviours\n\n${heldSummary(coverage)}.`,
    ['| | behaviour | the document says | held by |', '|---|---|---|---|', ...held].join('\n'),
    ...(unknown.length > 0 ? [`### Unknown to the provider\n\n${unknown.join('\n')}`] : []),
    '',
  ].join('\n\n');
}
