import { Badge, type MantineColor } from '@mantine/core';
import { words } from '../lib/format.ts';
import { text } from '../texts/shared.ts';

/** The colours of the API's states: green is good, red needs attention, yellow and blue wait, grey is neutral. */
const colours: Readonly<Record<string, MantineColor>> = {
  delivered: 'teal',
  success: 'teal',
  ok: 'teal',
  done: 'teal',
  active: 'teal',
  sent: 'teal',
  resolved: 'teal',
  pending: 'blue',
  running: 'blue',
  probing: 'blue',
  paused: 'yellow',
  held: 'yellow',
  near: 'yellow',
  failed: 'red',
  over: 'red',
  disabled: 'red',
  skipped: 'gray',
  canceled: 'gray',
};

/** A state as a badge. An unknown word is an error class, and red. */
export function Status({ of: word, size = 'sm', label }: { of: string; size?: string; label?: string }) {
  return (
    <Badge color={colours[word] ?? 'red'} variant="light" size={size} tt="none" fw={600}>
      {label ?? text.parts.status[word] ?? text.server.reasons[word]?.title ?? words(word)}
    </Badge>
  );
}

/** An HTTP status. */
export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <span>–</span>;
  const colour = status < 300 ? 'teal' : status < 400 ? 'blue' : status < 500 ? 'orange' : 'red';
  return (
    <Badge color={colour} variant="light" size="sm" fw={600}>
      {status}
    </Badge>
  );
}
