import type { Command } from 'commander';
import { type Coverage, nameOf, type QuestionCoverage } from '../contracts/tools/coverage/coverage.ts';
import { SuiteUse } from '../contracts/tools/coverage/suite.ts';
import { candidatesOf } from '../contracts/tools/probe/candidates.ts';
import { type Exercised, judgeUse } from '../contracts/tools/probe/exercised.ts';
import { Hider, secretsIn } from '../contracts/tools/secrets.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { isHarmless } from '../spec/gaps/harmless.ts';
import { findOperation } from '../spec/openapi/operations.ts';
import type { CohesionCredentials } from '../stubs/credentials.ts';
import { startWatchedStub } from '../stubs/stub.ts';
import { notCalled } from '../stubs/suite/environment.ts';
import { exitCodeOf } from '../stubs/suite/program.ts';
import type { Stub, StubOptions } from '../stubs/types.ts';
import { exitCodes, tell } from './command.ts';
import { type Given, variablesOf } from './env-option.ts';
import type { StubGiven } from './stub-options.ts';
import { tlsOf } from './stub-tls.ts';
import { orNotStarted, runSuite } from './suite.ts';
import { optionsByApi } from './suite-options.ts';
import { commandWords } from './suite-words.ts';

/** Runs a command with stubs that watch what it uses. Returns the exit code: the command's, or that of the report. */
export function coverSuite(
  words: readonly string[],
  options: StubGiven & { env: Given[]; json: boolean },
  command: Command,
  report: (coverages: readonly Coverage[]) => Promise<number>,
): Promise<number> {
  const { apis, suite } = commandWords(words, command);
  const name = new Hider(secretsIn(suite)).text(suite.join(' '));
  return orNotStarted(async () => {
    const optionsOf = await optionsByApi(apis, options);
    const { start, coveragesOf } = watchUse(apis, optionsOf, tlsOf(options) !== false);
    const given = { apis, words: suite, start, variables: variablesOf(apis, options.env), tls: options, quiet: options.json };
    const { code, coverages } = await runSuite(given, async ({ stubs, run }) => {
      const code = exitCodeOf(await run());
      const failed = code === 0 ? undefined : `The command failed with exit code ${code}, so this is what it used until then.`;
      return { code, coverages: await coveragesOf(name, stubs, failed) };
    });
    const idle = coverages.filter(({ notes = [] }) => notes.length > 0).map(({ provider }) => provider);
    if (idle.length > 0) tell(`passerelle: ${notCalled(name, idle)}`);
    const judged = idle.length === apis.length ? exitCodes.couldNotRun : await report(coverages);
    return code === 0 ? judged : code;
  });
}

/** Starts stubs that note what is used of them. `coveragesOf` returns what a suite has used when it has run or failed. */
export function watchUse(apis: readonly ServiceName[], optionsOf: (api: ServiceName) => StubOptions, isSecured = false) {
  const watched = apis.map((api) => ({
    api,
    use: new SuiteUse(api, isSecured),
    exercised: new Map() as Exercised,
    judged: async () => {},
  }));
  return {
    async start(api: ServiceName) {
      const own = watched.find((one) => one.api === api) as (typeof watched)[number];
      const stub = await startWatchedStub(api, optionsOf(api));
      own.judged = judgeUse(stub, own.exercised);
      stub.subscribe((event) => {
        if (event.kind === 'call') own.use.call(event.call);
        if (event.kind === 'attempt' && event.attempt.outcome === 'success') own.use.event(event.attempt.eventType);
      });
      return stub;
    },
    async coveragesOf(name: string, stubs: readonly Stub[], failed?: string): Promise<Coverage[]> {
      await Promise.all(watched.map(({ judged }) => judged()));
      return watched.map(({ api, use, exercised }, at) => {
        const { tokens = [] } = (stubs[at] as Stub).credentials as Partial<CohesionCredentials>;
        return {
          ...use.coverage(name, tokens),
          questions: questionsOf(api, exercised),
          notes: use.isEmpty ? [notCalled(name, [api])] : [],
          ...(failed !== undefined && { failed }),
        };
      });
    },
  };
}

/** The open questions of an API, with what another answer would have changed. */
function questionsOf(api: ServiceName, exercised: Exercised): QuestionCoverage[] {
  const asked = Map.groupBy(
    candidatesOf(api).filter(({ gap }) => !isHarmless(gap)),
    ({ gap }) => gap,
  );
  // Operations are named as in the list of operations.
  const named = (where: string) =>
    where.replace(/([A-Z]+) (\/\S+)$/, (name, method: string, path: string) => {
      const operation = findOperation(api, method, path);
      return operation ? nameOf(operation) : name;
    });
  return [...asked].map(([name, all]) => {
    const places = all.flatMap(({ id }) => exercised.get(id) ?? []).map(({ where }) => where);
    return { name, question: all[0]?.question ?? '', by: [...new Set(places.map(named))] };
  });
}
