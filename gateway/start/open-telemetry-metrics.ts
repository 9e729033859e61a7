import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';

interface Value {
  /** Only for a histogram, which has several values for each label set: NAME_bucket, NAME_sum or NAME_count. */
  metricName?: string;
  labels: Record<string, string | number>;
  value: number;
}

/** One of prom-client's metrics. Its declared type says that the kind is a number, but at run time it is a word. */
interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  values: Value[];
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.floor((ms % 1000) * 1e6)];

/** Counters begin with the process. */
const startTime = timeOf(performance.timeOrigin);

/** Reads the metrics of `/metrics` for OpenTelemetry, under the same names: what is written for one fits the other. */
export async function readMetrics(registry: Registry, resource: Resource): Promise<CollectionResult> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as Metric[];
  const endTime = timeOf(Date.now());
  return {
    resourceMetrics: {
      resource,
      scopeMetrics: [{ scope: { name: 'passerelle' }, metrics: metrics.map((metric) => dataOf(metric, endTime)) }],
    },
    errors: [],
  };
}

function dataOf({ name, help, type, values }: Metric, endTime: HrTime): MetricData {
  const shared = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const pointOf = <T>(labels: Value['labels'], value: T): DataPoint<T> => ({ startTime, endTime, attributes: labels, value });
  if (type === 'histogram') {
    const points = histogramsOf(values).map(({ labels, histogram }) => pointOf(labels, histogram));
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: points };
  }
  const dataPoints = values.map(({ labels, value }) => pointOf(labels, value));
  if (type === 'counter') return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints };
}

const unitOf = (name: string): string => (/_seconds(_total)?$/.test(name) ? 's' : /_bytes$/.test(name) ? 'By' : '1');

/** Prometheus counts in each bucket what is in the buckets before it too; OpenTelemetry does not. */
function histogramsOf(values: Value[]): { labels: Value['labels']; histogram: Histogram }[] {
  const series = new Map<string, { labels: Value['labels']; histogram: Histogram }>();
  for (const { metricName = '', labels: all, value } of values) {
    const { le, ...labels } = all;
    const key = JSON.stringify(labels);
    const empty: Histogram = { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 };
    const one = series.get(key) ?? { labels, histogram: empty };
    series.set(key, one);
    const { histogram } = one;
    if (metricName.endsWith('_sum')) histogram.sum = value;
    else if (metricName.endsWith('_count')) histogram.count = value;
    else {
      const { boundaries, counts } = histogram.buckets;
      counts.push(value - counts.reduce((sum, count) => sum + count, 0));
      if (le !== '+Inf') boundaries.push(Number(le));
    }
  }
  return [...series.values()];
}
