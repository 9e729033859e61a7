import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import type { ServiceName } from '../contracts/documents/services.ts';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { figures, figureText } from '../contracts/tools/coverage/figures.ts';
import { coverageReport } from '../contracts/tools/coverage/report.ts';
import { htmlReport } from '../contracts/tools/reports/html.ts';
import { jsonReport } from '../contracts/tools/reports/json.ts';
import { junitReport } from '../contracts/tools/reports/junit.ts';
import { markdownReport } from '../contracts/tools/reports/markdown.ts';
import { type Finding, findingsOf, type Report } from '../contracts/tools/reports/model.ts';
import { duration } from '../contracts/tools/reports/plain.ts';
import { textReport } from '../contracts/tools/reports/text.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import { readBeside } from '../contracts/tools/verification/sources.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import { runMutate } from '../mutate/mutate.ts';
import { mutateReport, mutateSuite, unaccepted as unnoticed } from '../mutate/report.ts';
import { plainLimitMs, runProbe, Stopped } from '../probe/probe.ts';
import { unaccepted as dependencies, probeReport, probeSuite, withoutSecrets } from '../probe/report/report.ts';
import { Runs } from '../probe/runs.ts';
import { unaccepted as damages, stressReport, stressSuite } from '../stress/report.ts';
import { runStress } from '../stress/stress.ts';
import { withStubs } from '../stubs/suite/with-stubs.ts';
import { commaSeparated, exitCodes, onStandardOutput, say, tell } from './command.ts';
import { watchUse } from './coverage-suite.ts';
import { environmentText } from './env-option.ts';
import { lineOf as mutateLine } from './mutate.ts';
import { checkOutputs, type Reports, writeOutputs } from './output.ts';
import { lineOf as probeLine } from './probe.ts';
import {
  jobsOf,
  openProgress,
  type RepeatedGiven,
  runPlaceText,
  runsOf,
  stopping,
  withReports,
  withRuns,
} from './repeated-suite.ts';
import { lineOf as stressLine } from './stress.ts';
import { commandWords, remindOfDashes } from './suite-words.ts';

const questions = ['coverage', 'probe', 'stress', 'mutate'] as const;
type Question = (typeof questions)[number];

/** What a question found. */
interface Answer {
  /** As JSON. */
  found: unknown;
  reports: Report[];
  /** For JUnit. None: it decides nothing. */
  suite?: Report;
  /** Findings that nobody accepted. */
  open: number;
  /** In one line. */
  summary: string;
  stopped: boolean;
}

const titles: Readonly<Record<Question, string>> = {
  coverage: 'not covered',
  probe: 'depends on our choices',
  stress: 'too fragile',
  mutate: 'too weak',
};

const examples = `
Examples:
  $ passerelle examine pos -- npm test
  $ passerelle examine pos cohesion --output examine.html -- vendor/bin/phpunit
  $ passerelle examine pos --only probe,mutate -- npm test
${environmentText}
${runPlaceText}
Exit codes: 0 no finding that is not accepted, 1 findings of probe, stress or mutate, 2 could not run, or stopped.`;

export const examineCommand = (): Command =>
  withReports(
    withRuns(remindOfDashes(new Command('examine')))
      .summary('ask coverage, probe, stress and mutate about your tests, in one report')
      .description(
        'Runs a command, such as your test suite, and asks four questions about it: what it does not use, on which of our choices it depends, what damage failures do, and which documented behaviours it does not notice.',
      )
      .option('--only <list>', `ask only these, separated by commas: ${questions.join(', ')}`, commaSeparated),
    'findings',
  )
    .addHelpText('after', examples)
    .action(async (words: string[], options: RepeatedGiven, command: Command) => {
      const { apis, suite } = commandWords(words, command);
      process.exitCode = await run(apis, suite, options);
    });

function askedBy({ only = [...questions] }: RepeatedGiven): Question[] {
  const wrong = only.find((name) => !questions.some((one) => one === name));
  if (wrong === undefined && only.length > 0) return questions.filter((one) => only.includes(one));
  throw new CouldNotRun(
    `--only: "${wrong ?? ''}" is not a question. ${didYouMean(wrong ?? '', questions)}They are ${questions.join(', ')}.`,
  );
}

async function run(apis: ServiceName[], suite: string[], options: RepeatedGiven): Promise<number> {
  const asked = askedBy(options);
  await checkOutputs(options.output);
  const { count: jobs, notes } = jobsOf(options);
  const beside = await readBeside(options.assumptions);
  const stop = stopping();
  const progress = openProgress();
  const input = {
    ...runsOf(apis, suite, options),
    jobs,
    only: [],
    signal: stop.signal,
  };
  const name = new Hider(secretsIn(suite)).text(input.runner.name);

  const ask: Readonly<Record<Question, () => Promise<Answer>>> = {
    async coverage() {
      const { start, coveragesOf } = watchUse(apis, (api) => ({ logLevel: 'silent', ...input.stubs[api] }));
      const runs = new Runs({ ...input, candidates: [], base: {} }, plainLimitMs);
      const found = await withStubs(apis, start, async (stubs) => {
        const { passed, reason } = await runs.once(stubs);
        return coveragesOf(name, stubs, passed ? undefined : `The command failed (${reason}).`);
      });
      const texts = found.map((one) => `${one.provider}: ${figureText('behaviours', figures.behaviours.of(one))} shown`);
      return { found, reports: found.map((one) => coverageReport(one)), open: 0, summary: texts.join('; '), stopped: false };
    },
    async probe() {
      let stopped = false;
      const onProgress = (step: Parameters<typeof probeLine>[0]) => progress.step(probeLine(step));
      const probing = runProbe({
        ...input,
        only: undefined,
        acceptances: beside?.assumptions ?? [],
        seed: String(randomInt(2 ** 31)),
        onProgress,
      });
      const found = withoutSecrets(
        await probing.catch((error: unknown) => {
          if (!(error instanceof Stopped)) throw error;
          stopped = true;
          return error.report;
        }),
      );
      return answerOf(found, probeReport(found), probeSuite(found), dependencies(found.dependencies).length, stopped);
    },
    async stress() {
      const found = {
        ...(await runStress({
          ...input,
          accepted: beside?.findings ?? [],
          atMost: 10,
          onProgress: (step) => progress.step(stressLine(step)),
        })),
        command: name,
      };
      return answerOf(found, stressReport(found), stressSuite(found), damages(found).length, found.stopped);
    },
    async mutate() {
      const found = {
        ...(await runMutate({
          ...input,
          accepted: beside?.unnoticed ?? [],
          onProgress: (step) => progress.step(mutateLine(step)),
        })),
        command: name,
      };
      return answerOf(found, mutateReport(found), mutateSuite(found), unnoticed(found).length, found.stopped);
    },
  };

  const startedAt = performance.now();
  const answers = new Map<Question, Answer>();
  try {
    for (const question of asked) {
      if (stop.signal.aborted) break;
      answers.set(question, await ask[question]());
    }
  } catch (error) {
    if (!stop.signal.aborted && (answers.size === 0 || !(error instanceof CouldNotRun))) throw error;
    if (error instanceof CouldNotRun) notes.push(`${asked[answers.size]} could not be asked: ${error.message}`);
  } finally {
    progress.end();
    stop.end();
  }
  const isWhole = answers.size === asked.length && [...answers.values()].every(({ stopped }) => !stopped);
  if (answers.size === 0) tell('passerelle: stopped before anything was found.');
  else await write(answers, { notes, isWhole, name, apis, durationMs: performance.now() - startedAt }, options);
  if (!isWhole) return exitCodes.couldNotRun;
  return [...answers.values()].some(({ open }) => open > 0) ? exitCodes.failed : exitCodes.ok;
}

const answerOf = (found: unknown, report: Report, suite: Report, open: number, stopped: boolean): Answer => ({
  found,
  reports: [report],
  suite,
  open,
  summary: report.summary,
  stopped,
});

interface About {
  notes: readonly string[];
  isWhole: boolean;
  name: string;
  apis: readonly ServiceName[];
  durationMs: number;
}

/** The four columns, as the first report. */
function overview(answers: ReadonlyMap<Question, Answer>, { notes, isWhole, name, apis, durationMs }: About): Report {
  const findings = [...answers].map(([question, { open, summary, reports }]): Finding => {
    const isOpen =
      open > 0 ? 'failed' : reports.flatMap(findingsOf).some(({ outcome }) => outcome === 'pending') ? 'pending' : 'passed';
    return { outcome: isOpen, title: titles[question], about: `${question}: ${summary}` };
  });
  return {
    tool: 'examine',
    title: `Examine with ${apis.join(' and ')}`,
    subject: name,
    summary: `${isWhole ? '' : 'Stopped before the end. '}${[...answers].map(([question, { open }]) => `${titles[question]}: ${question === 'coverage' ? 'see below' : open}`).join(', ')}; ${duration(durationMs)}.`,
    ...(!isWhole && { outcome: 'failed' }),
    groups: [{ title: 'Questions', findings }],
    notes: notes.map((note) => `Note: ${note}`),
    durationMs: Math.round(durationMs),
  };
}

async function write(answers: ReadonlyMap<Question, Answer>, about: About, { json, output }: RepeatedGiven): Promise<void> {
  const first = overview(answers, about);
  const all = [first, ...[...answers.values()].flatMap(({ reports }) => reports)];
  const reports: Reports = {
    json: () =>
      jsonReport({ ...about, answers: Object.fromEntries([...answers].map(([question, { found }]) => [question, found])) }),
    xml: () => junitReport([{ ...first, groups: [] }, ...[...answers.values()].flatMap(({ suite }) => suite ?? [])]),
    html: () => htmlReport(all),
    md: () => all.map(markdownReport).join('\n'),
  };
  const look = onStandardOutput();
  say(json ? await reports.json() : [...all.slice(1), first].map((one) => textReport(one, look)).join('\n'));
  await writeOutputs(output, reports);
}
