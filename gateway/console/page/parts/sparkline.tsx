interface SparklineProps {
  summary: string;
  /** Counts per window. */
  succeeded: readonly number[];
  failed: readonly number[];
  width?: number;
  height?: number;
}

/** A small bar chart: successes, with failures in red on top. */
export function Sparkline({ summary, succeeded, failed, width = 120, height = 26 }: SparklineProps) {
  const most = Math.max(1, ...succeeded.map((value, index) => value + (failed[index] ?? 0)));
  const step = width / Math.max(1, succeeded.length);
  const scale = (value: number) => (value / most) * height;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={summary}>
      <rect x={0} y={height - 1} width={width} height={1} fill="var(--mantine-color-default-border)" />
      {succeeded.map((value, index) => {
        const failedHeight = scale(failed[index] ?? 0);
        const x = index * step;
        const key = `bar ${index}`;
        return (
          <g key={key}>
            <rect x={x} y={height - scale(value)} width={step * 0.8} height={scale(value)} fill="var(--mantine-color-teal-6)" />
            <rect
              x={x}
              y={height - scale(value) - failedHeight}
              width={step * 0.8}
              height={failedHeight}
              fill="var(--mantine-color-red-6)"
            />
          </g>
        );
      })}
    </svg>
  );
}
