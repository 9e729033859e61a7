import { fieldsOf } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { textReport } from '../reports/text.ts';
import { checkOnly } from './candidates.ts';
import { runProbe } from './probe.ts';
import { probeReport, unaccepted } from './report.ts';
import { lastLinesOf } from './tests.ts';
import type { Failure, ProbeOptions, ProbeResult, ProbeRun } from './types.ts';

export async function probeFunction(options: ProbeOptions): Promise<ProbeResult> {
  const { run, jobs = 1, only, data = 'demo', signal } = options;
  const apis = [...new Set([options.apis].flat())];
  if (apis.length === 0) throw new CouldNotRun('probe: apis is empty. Name the APIs that run calls, such as pos.');
  checkOnly(apis, only, 'only');
  const report = await runProbe({
    ...options,
    apis,
    jobs,
    command: run.name === '' || run.name === 'run' ? 'the function' : run.name,
    run: (context) => runFunction(run, context),
    optionsOf: (api) => ({ seed: typeof data === 'string' ? data : (data[api] ?? 'demo') }),
    variables: {},
  });
  signal?.throwIfAborted();
  const text = textReport(probeReport(report), { width: 100, colors: false });
  return { ...report, open: unaccepted(report.dependencies), text };
}

async function runFunction(run: ProbeOptions['run'], context: ProbeRun): Promise<Failure | undefined> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
  try {
    const failedTests = namesIn(await Promise.race([(async () => run(context))(), stopped]));
    return failedTests.length === 0 ? undefined : { failedTests, reason: 'failed tests', lastLines: [] };
  } catch (error) {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { failedTests: [], reason: 'thrown', lastLines: lastLinesOf(said) };
  }
}

/** The names of failed tests that a function returned: a list, or the member `failed`. */
function namesIn(result: unknown): string[] {
  const list = Array.isArray(result) ? result : fieldsOf(result).failed;
  return Array.isArray(list) ? list.map(String) : [];
}
