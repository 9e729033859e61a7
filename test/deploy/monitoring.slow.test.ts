import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { dashboardOf, metricsOf } from '../../deploy/monitoring/dashboard.ts';
import { alertRules, ruleFile } from '../../deploy/monitoring/rules.ts';
import { root } from '../e2e/process.ts';

const expressions = alertRules.map(({ expr }) => expr);

test('the files are those that the rules and the register of metrics make', () => {
  execFileSync(process.execPath, [join(root, 'deploy/monitoring/write.ts'), '--check'], { stdio: 'pipe' });
});

test('the autoscaler of workers, and the rule of the guide for it, name a metric that a gateway has', async () => {
  const names = (await metricsOf()).map(({ name }) => name);
  for (const file of ['deploy/kubernetes/autoscaling.yaml', 'docs/deploying/kubernetes.md']) {
    const [, named] = /(?:metric: \{ name|seriesQuery): (\w+)/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    expect(names, file).toContain(named);
  }
});

test('rules and dashboard name metrics and labels that a gateway has', async () => {
  const metrics = await metricsOf();
  const known = new Map(
    metrics.flatMap(({ name, type, labels }) =>
      type === 'histogram'
        ? [
            [`${name}_bucket`, [...labels, 'le']],
            [`${name}_count`, [...labels]],
          ]
        : [[name, [...labels]]],
    ) as [string, string[]][],
  );
  const panels = (await dashboardOf()).panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const expr of [...expressions, ...panels])
    for (const [, name = '', selector = ''] of expr.matchAll(/(passerelle_\w+)(?:\{([^}]*)\})?/g)) {
      expect([...known.keys()], expr).toContain(name);
      for (const [, label] of selector.matchAll(/(\w+)(?:=~|!=|=)/g)) expect(known.get(name), expr).toContain(label);
    }
  expect(panels.join(' ')).toContain('passerelle_clock_skew_seconds');
});

const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPromtool)(hasPromtool ? 'promtool' : 'promtool (skipped: install Debian’s package prometheus)', () => {
  let folder: string;
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), stringify(content));
    return join(folder, name);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'passerelle-monitoring-'));
    write('rules.yaml', ruleFile);
    return () => rmSync(folder, { recursive: true });
  });

  test('takes the rules and the dashboard’s expressions', async () => {
    const { panels } = await dashboardOf();
    const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
    const rules = exprs.map((expr, at) => ({ record: `panel:${at}`, expr }));
    const files = [join(folder, 'rules.yaml'), write('panels.yaml', { groups: [{ name: 'panels', rules }] })];
    execFileSync('promtool', ['check', 'rules', ...files], { stdio: 'pipe' });
  });

  test.each(alertRules)('$alert fires when it should, and then only', ({ alert, fires, quiet }) => {
    const testOf = (series: Readonly<Record<string, string>>, firing: object[]) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        { expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`, eval_time: '389m', exp_samples: firing },
      ],
    });
    const tests = [testOf(fires, [{ labels: '{}', value: 1 }]), testOf(quiet, [])];
    const file = write(`${alert}.yaml`, { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests });
    execFileSync('promtool', ['test', 'rules', file], { stdio: 'pipe' });
  });
});
