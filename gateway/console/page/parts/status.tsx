import { Badge, type MantineColor } from '@mantine/core';
import { words } from '../lib/format.ts';
import { text } from '../texts/shared.ts';

/** The colours of the API's states: green is good, red needs attention, yellow waits, grey is neutral. */
const colours: Readonly<Record<string, MantineColor>> = {
  delivered: 'teal',
  success: 'teal',
  ok: 'teal',
  done: 'teal',
  active: 'teal',
  sent: 'teal',
  resolved: 'teal',
  pending: 'yellow',
  running: 'yellow',
  probing: 'yellow',
  paused: 'yellow',
  held: 'yellow',
  near: 'yellow',
  failed: 'red',
  over: 'red',
  disabled: 'red',
  skipped: 'gray',
  canceled: 'gray',
};

/** A state: a dot in its colour, and its name. An unknown word is an error class, and red. */
export const Status = ({ of: word, label }: { of: string; label?: string }) => (
  <Badge variant="dot" color={colours[word] ?? 'red'}>
    {label ?? text.parts.status[word] ?? text.server.reasons[word]?.title ?? words(word)}
  </Badge>
);

export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <span>–</span>;
  return <span className={status < 400 ? undefined : 'ink-red'}>{status}</span>;
}
