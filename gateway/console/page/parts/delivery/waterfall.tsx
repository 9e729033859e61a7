import { Group } from '@mantine/core';
import { duration } from '../../lib/time.ts';
import { text } from '../../texts/shared.ts';
import { Hint } from '../hint.tsx';
import type { Attempt } from './delivery.ts';
import { type Phase, type PhaseName, phasesOf } from './phases.ts';

const says = text.delivery.phases;

const colours: Readonly<Record<PhaseName, string>> = {
  dns: 'gray-5',
  connect: 'gray-6',
  tls: 'pink-5',
  wait: 'accent-5',
  body: 'teal-5',
  open: 'red-6',
};
const fill = (name: PhaseName) => `var(--mantine-color-${colours[name]})`;

const summaryOf = (phases: readonly Phase[]) => phases.map(({ name, ms }) => `${says.names[name]} ${duration(ms)}`).join(', ');

interface BarProps {
  phases: readonly Phase[];
  /** The milliseconds that the full width stands for. */
  widthMs: number;
  label: string;
}

const Bar = ({ phases, widthMs, label }: BarProps) => (
  <svg className="waterfall" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={label}>
    <title>{label}</title>
    {phases.map(({ name, startMs, ms }) => {
      // A very short phase still gets a visible bar, within the picture.
      const width = Math.max(4, (ms / widthMs) * 1000);
      return (
        <rect key={name} x={Math.min((startMs / widthMs) * 1000, 1000 - width)} width={width} height={10} fill={fill(name)} />
      );
    })}
  </svg>
);

/** One attempt as a bar. The longest attempt of the delivery has the full width. */
export function AttemptBar({ attempt, longestMs }: { attempt: Attempt; longestMs: number }) {
  const phases = phasesOf(attempt);
  if (phases.length === 0) return null;
  return <Bar phases={phases} widthMs={Math.max(longestMs, 1)} label={summaryOf(phases)} />;
}

export function Waterfall({ attempt }: { attempt: Attempt }) {
  const phases = phasesOf(attempt);
  const totalMs = attempt.timings.total ?? 0;
  if (phases.length === 0) return <Hint>{says.none}</Hint>;
  return (
    <table className="phases" aria-label={says.label(attempt.number)}>
      <tbody>
        {phases.map((phase) => (
          <tr key={phase.name}>
            <th scope="row">
              <Group gap={6} wrap="nowrap">
                <Swatch name={phase.name} />
                {says.names[phase.name]}
              </Group>
            </th>
            <td className="phases-bar">
              <Bar phases={[phase]} widthMs={totalMs} label={meaningOf(phase, attempt)} />
            </td>
            <td className="phases-ms">{duration(phase.ms)}</td>
            <td className="phases-meaning">{meaningOf(phase, attempt)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{says.total}</th>
          <td className="phases-bar" />
          <td className="phases-ms">
            <b>{duration(totalMs)}</b>
          </td>
          <td className="phases-meaning" />
        </tr>
      </tbody>
    </table>
  );
}

const meaningOf = ({ name }: Phase, { timings }: Attempt): string =>
  name === 'wait' && timings.first_byte === undefined ? says.noResponse : says.meanings[name];

const Swatch = ({ name }: { name: PhaseName }) => (
  <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
    <rect width={10} height={10} rx={2} fill={fill(name)} />
  </svg>
);

export function Legend({ attempts }: { attempts: readonly Attempt[] }) {
  const shown = new Set(attempts.flatMap((attempt) => phasesOf(attempt).map(({ name }) => name)));
  return (
    <Group gap="sm">
      {(Object.keys(says.names) as PhaseName[])
        .filter((name) => shown.has(name))
        .map((name) => (
          <Group key={name} gap={4}>
            <Swatch name={name} />
            <Hint size="xs">{says.names[name]}</Hint>
          </Group>
        ))}
    </Group>
  );
}
