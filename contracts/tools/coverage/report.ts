import type { Finding, Group, Report } from '../reports/model.ts';
import { count } from '../reports/plain.ts';
import type {
  BehaviourCoverage,
  Coverage,
  Exercised,
  OperationCoverage,
  QuestionCoverage,
  TokenUse,
  Unknown,
} from './coverage.ts';
import { nameOf } from './coverage.ts';
import { type FigureName, figureNames, figures, figureText } from './figures.ts';

const openOf = (label: string, parts: readonly Exercised[]) => {
  const open = parts.filter(({ by }) => by.length === 0).map(({ name }) => name);
  return open.length === 0 ? [] : [`${label} ${open.join(', ')}`];
};

/** The first, and the number of others. */
const firstOf = ([first = '', ...others]: readonly string[]) =>
  others.length === 0 ? first : `${first} (and ${others.length} more)`;

const isUsed = ({ by, tests = [] }: { by: readonly string[]; tests?: readonly string[] }) => by.length + tests.length > 0;

/** Coverage does not judge, so used parts are called `used`, not `passed`. */
const used = { outcome: 'passed', word: 'used' } as const;

const operationFinding =
  (noun: string) =>
  ({ method, path, times, statuses, query, body }: OperationCoverage): Finding => {
    const open = [...openOf('status', statuses), ...openOf('query', query), ...openOf('body', body)];
    const text = open.length > 0 ? { text: `open: ${open.join('; ')}` } : {};
    return { ...used, title: nameOf({ method, path }), about: count(times, noun), ...text };
  };

const heldFinding = ({ id, by, tests }: BehaviourCoverage): Finding => ({
  ...used,
  title: id,
  about: firstOf([...by, ...tests]),
});

const questionFinding = ({ name, question, by }: QuestionCoverage): Finding => ({
  ...used,
  title: name,
  about: firstOf(by),
  text: question,
});

function tokenFinding({ name, abilities, needs }: TokenUse): Finding {
  const surplus = abilities.filter((one) => !needs.includes(one));
  const needed = needs.length === 0 ? 'no ability' : needs.join(', ');
  if (surplus.length === 0) return { ...used, title: name, about: `needs ${needed}` };
  const only = needs.length === 0 ? needed : `${needed} only`;
  const has = count(abilities.length, 'ability').replace('abilitys', 'abilities');
  return {
    outcome: 'pending',
    word: 'more than it needs',
    title: name,
    about: `needs ${only}, and has ${has}: ${abilities.join(', ')}`,
  };
}

const unknownText = ({ by, what, nearest }: Unknown) => `${what} (${by})${nearest === undefined ? '' : `; nearest: ${nearest}`}`;

/** How many behaviours pacts hold, and how many only tests. */
function holdersOf({ behaviours, questions }: Coverage): string {
  if (questions) return 'a call or a webhook shows them';
  const byPacts = behaviours.filter(({ by }) => by.length > 0).length;
  const byTests = behaviours.filter((one) => one.by.length === 0 && isUsed(one)).length;
  return `${byPacts} by a pact${byTests === 0 ? '' : `, ${byTests} only by a test`}`;
}

/** The report of what pacts or a suite use, and of what they do not. `tooLittle`: the figures that are lower than required. */
export function coverageReport(coverage: Coverage, tooLittle: readonly string[] = []): Report {
  const { provider, consumers, operations, events, behaviours, questions = [], tokens = [], unknown, notes = [] } = coverage;
  const bySuite = coverage.questions !== undefined;
  const failed = [...(coverage.failed === undefined ? [] : [coverage.failed]), ...tooLittle];
  const noun = bySuite ? 'call' : 'interaction';
  const groups: Group[] = [
    { title: 'Operations', findings: operations.filter(isUsed).map(operationFinding(noun)) },
    {
      title: 'Events',
      findings: events.filter(isUsed).map(({ name, by }) => ({ ...used, title: name, about: firstOf(by) })),
    },
    { title: 'Documented behaviours', about: holdersOf(coverage), findings: behaviours.filter(isUsed).map(heldFinding) },
    { title: 'Open questions', findings: questions.filter(isUsed).map(questionFinding) },
    { title: 'Tokens', findings: tokens.map(tokenFinding) },
    { title: 'Failed', findings: failed.map((title) => ({ outcome: 'failed', title })) },
  ];
  const unused = (name: FigureName) => (figures[name].of(coverage) ?? []).flatMap((one) => (one.isUsed ? [] : [one.name]));
  const says = new Map(behaviours.map((one) => [one.id, one.says]));
  const asked = new Map(questions.map((one) => [one.name, one.question]));
  const lists = [
    { title: 'Operations that nothing uses', items: unused('operations') },
    { title: 'Events that nothing receives', items: unused('events') },
    {
      title: `Documented behaviours that nothing ${bySuite ? 'shows' : 'holds'}`,
      items: unused('behaviours').map((id) => `${id}: "${says.get(id)}"`),
    },
    { title: 'Open questions that nothing meets', items: unused('questions').map((id) => `${id}: ${asked.get(id)}`) },
    { title: 'Unknown to the provider', items: unknown.map(unknownText) },
  ];
  return {
    tool: 'coverage',
    title: `Coverage of ${provider} by`,
    subject: consumers.join(', ') || 'no pact',
    outcome: failed.length > 0 ? 'failed' : 'passed',
    groups: groups.filter(({ findings }) => findings.length > 0),
    lists: lists.filter(({ items }) => items.length > 0),
    notes,
    summary: `${provider}: ${summaryOf(coverage)}.`,
  };
}

const summaryOf = (coverage: Coverage): string =>
  figureNames
    .flatMap((name) => {
      const all = figures[name].of(coverage);
      return all === undefined ? [] : [figureText(name, all)];
    })
    .join(', ');
