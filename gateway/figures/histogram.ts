import type { Registry } from 'prom-client';

/** One label set: how many values fell under each bound, the last for those above all bounds, and their sum. */
interface Series<L extends string> {
  labels: Record<L, string>;
  counts: number[];
  sum: number;
}

interface Value {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

/**
 * A histogram for the hot path, in the form that prom-client's registry reads. prom-client's own checks and hashes the
 * labels at each observation, which costs a call more than its limits do.
 */
export class HotHistogram<L extends string> {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly labelNames: readonly L[];
  readonly #series = new Map<string, Series<L>>();

  constructor(options: { name: string; help: string; labelNames: readonly L[]; buckets: readonly number[]; registry: Registry }) {
    this.name = options.name;
    this.help = options.help;
    this.labelNames = options.labelNames;
    this.#bounds = options.buckets;
    // The registry calls only what this class has; its type asks for a whole metric of prom-client.
    options.registry.registerMetric(this as never);
  }

  /** Counts a value. `labels` are in the order of the label names. */
  observe(value: number, ...labels: string[]): void {
    const key = labels.length === 1 ? (labels[0] as string) : labels.join('\n');
    const series = this.#series.get(key) ?? this.#newSeries(key, labels);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += value;
  }

  #newSeries(key: string, labels: readonly string[]): Series<L> {
    const named = Object.fromEntries(this.labelNames.map((name, index) => [name, labels[index]])) as Record<L, string>;
    const series = { labels: named, counts: Array(this.#bounds.length + 1).fill(0) as number[], sum: 0 };
    this.#series.set(key, series);
    return series;
  }

  /** What prom-client's histograms return: cumulative buckets, then sum and count, of each label set. */
  async get(): Promise<{ name: string; help: string; type: string; aggregator: string; values: Value[] }> {
    const { name, help, type, aggregator } = this;
    return { name, help, type, aggregator, values: [...this.#series.values()].flatMap((series) => this.#valuesOf(series)) };
  }

  #valuesOf({ labels, counts, sum }: Series<L>): Value[] {
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      return { metricName: `${this.name}_bucket`, labels: { le: this.#bounds[index] ?? '+Inf', ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
