import { systemClock } from '../../gateway/base/clock.ts';
import { Metrics } from '../../gateway/figures/metrics.ts';

interface Metric {
  name: string;
  help: string;
  type: string;
  /** Labels that its series have beside those of Prometheus. */
  labels: readonly string[];
}

/** All metrics of a gateway, by its own register. */
export async function metricsOf(): Promise<Metric[]> {
  const metrics = new Metrics();
  metrics.addGauges({
    recorder: { state: { backlog: 0 } },
    queue: { depth: async () => ({ waiting: 0, delayed: 0, active: 0 }) },
    auditor: { differences: { missing: {}, surplus: {} } as never, awaitingFanOut: 0, oldestDueMs: 0 },
    clock: systemClock,
  });
  const listed = await metrics.registry.getMetricsAsJSON();
  return listed.map(({ name, help, type }) => {
    // The types of prom-client leave out the names of labels.
    const one = metrics.registry.getSingleMetric(name) as unknown as { labelNames?: readonly string[] };
    return { name, help, type: String(type), labels: one.labelNames ?? [] };
  });
}

const shown = (labels: readonly string[]) => labels.map((label) => `{{${label}}}`).join(' ');
const by = (labels: readonly string[]) => (labels.length === 0 ? '' : ` by (${labels.join(', ')})`);

/** What a panel shows of a metric: rates of counters, the spread of durations, and gauges as they are. */
function targetsOf({ name, type, labels }: Metric): { unit: string; targets: { expr: string; legendFormat: string }[] } {
  if (type === 'histogram') {
    const label = labels[0] as string;
    const quantile = (q: number) => ({
      expr: `histogram_quantile(${q}, sum by (le, ${label}) (rate(${name}_bucket[$__rate_interval])))`,
      legendFormat: `p${q * 100} {{${label}}}`,
    });
    return { unit: 's', targets: [quantile(0.5), quantile(0.99)] };
  }
  const legendFormat = shown(labels) || name;
  if (type === 'counter')
    return { unit: 'ops', targets: [{ expr: `sum${by(labels)} (rate(${name}[$__rate_interval]))`, legendFormat }] };
  const unit = name.endsWith('_seconds') ? 's' : 'short';
  return { unit, targets: [{ expr: `max${by(labels)} (${name})`, legendFormat }] };
}

const [columns, height] = [2, 8];

/** A dashboard for Grafana, which asks for its Prometheus when it is imported. */
export async function dashboardOf() {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
  const datasource = { type: 'prometheus', uid: '${DS_PROMETHEUS}' };
  const metrics = await metricsOf();
  return {
    __inputs: [
      { name: 'DS_PROMETHEUS', label: 'Prometheus', type: 'datasource', pluginId: 'prometheus', pluginName: 'Prometheus' },
    ],
    uid: 'passerelle',
    title: 'Passerelle',
    tags: ['passerelle'],
    timezone: 'browser',
    schemaVersion: 38,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    panels: metrics.map((metric, at) => {
      const { unit, targets } = targetsOf(metric);
      const width = 24 / columns;
      return {
        id: at + 1,
        type: 'timeseries',
        title: metric.name.replace(/^passerelle_/, '').replaceAll('_', ' '),
        description: metric.help,
        datasource,
        gridPos: { x: (at % columns) * width, y: Math.floor(at / columns) * height, w: width, h: height },
        fieldConfig: { defaults: { unit, min: metric.name.includes('skew') ? undefined : 0 }, overrides: [] },
        targets: targets.map((target, index) => ({ refId: String.fromCharCode(65 + index), datasource, ...target })),
      };
    }),
  };
}
