import type { ServiceName } from '../../../spec/documents/services.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { textReport } from '../reports/text.ts';
import { today } from '../today.ts';
import { readBeside } from '../verification/sources.ts';
import { checkOnly } from './candidates.ts';
import { readObservedFiles } from './observed.ts';
import { runProbe, Stopped } from './probe.ts';
import { probeReport, unaccepted, withoutSecrets } from './report/report.ts';
import type { Runner } from './runs.ts';
import { lastLinesOf } from './tests.ts';
import type { ProbeOptions, ProbeResult } from './types.ts';

export async function probeFunction(options: ProbeOptions): Promise<ProbeResult> {
  const { jobs = 1, seed = 'passerelle', only, timeoutMs, data = 'demo', assumptions, signal, observed = [] } = options;
  const apis = [...new Set([options.apis].flat())];
  if (apis.length === 0) throw new CouldNotRun('probe: apis is empty. Name the APIs that run calls, such as pos.');
  checkOnly(apis, only, 'only');
  try {
    const found = await runProbe({
      observed: await readObservedFiles(apis, [observed].flat()),
      apis,
      jobs,
      seed: String(seed),
      only,
      timeoutMs,
      signal,
      today: today(),
      acceptances: assumptions === false ? [] : ((await readBeside(assumptions))?.assumptions ?? []),
      runner: functionRunner(options.run),
      stubs: Object.fromEntries(apis.map((api) => [api, { seed: dataOf(data, api) }])),
      variables: {},
    });
    const report = withoutSecrets(found);
    return {
      ...report,
      open: unaccepted(report.dependencies),
      text: textReport(probeReport(report), { width: 100, colors: false }),
    };
  } catch (error) {
    if (error instanceof Stopped) signal?.throwIfAborted();
    throw error;
  }
}

const dataOf = (data: NonNullable<ProbeOptions['data']>, api: ServiceName) =>
  typeof data === 'string' ? data : (data[api] ?? 'demo');

function functionRunner(run: ProbeOptions['run']): Runner {
  return {
    name: run.name === '' || run.name === 'run' ? 'the function' : run.name,
    async run(context) {
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const stop = () => reject(context.signal.reason);
      context.signal.addEventListener('abort', stop, { once: true });
      try {
        const failedTests = namesIn(await Promise.race([(async () => run(context))(), stopped]));
        const passed = failedTests.length === 0;
        return { passed, failedTests, reason: passed ? '' : 'failed tests', lastLines: [] };
      } catch (error) {
        return { passed: false, failedTests: [], reason: 'thrown', lastLines: lastLinesOf(messageOf(error)) };
      } finally {
        context.signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** The names of failed tests that a function returned: a list, or the member `failed`. */
function namesIn(result: unknown): string[] {
  const list = Array.isArray(result) ? result : ((result as { failed?: unknown } | null | undefined)?.failed ?? []);
  return Array.isArray(list) ? list.map(String) : [];
}

const messageOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
