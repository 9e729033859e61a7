interface SparklineProps {
  summary: string;
  /** What went well and what did not, window by window. */
  good: readonly number[];
  bad: readonly number[];
  width?: number;
  height?: number;
}

/** A small picture of the last while: bars of what went well, with what did not in red on top. */
export function Sparkline({ summary, good, bad, width = 120, height = 26 }: SparklineProps) {
  const most = Math.max(1, ...good.map((value, index) => value + (bad[index] ?? 0)));
  const step = width / Math.max(1, good.length);
  const scale = (value: number) => (value / most) * height;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={summary}>
      <rect x={0} y={height - 1} width={width} height={1} fill="var(--mantine-color-default-border)" />
      {good.map((value, index) => {
        const failed = scale(bad[index] ?? 0);
        const x = index * step;
        const key = `bar ${index}`;
        return (
          <g key={key}>
            <rect x={x} y={height - scale(value)} width={step * 0.8} height={scale(value)} fill="var(--mantine-color-teal-6)" />
            <rect x={x} y={height - scale(value) - failed} width={step * 0.8} height={failed} fill="var(--mantine-color-red-6)" />
          </g>
        );
      })}
    </svg>
  );
}
