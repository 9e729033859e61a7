import type { paths } from '../../lib/api.ts';

export type Story = paths['/deliveries/{id}']['get']['responses'][200]['content']['application/json']['data'];
export type Attempt = Story['attempts_made'][number];

/** The attempt that an address asks for, or the last one. */
export function openedAttempt({ attempts_made }: Story, wanted: string | undefined): Attempt | undefined {
  return attempts_made.find(({ number }) => String(number) === wanted) ?? attempts_made.at(-1);
}

export const attemptLink = ({ id }: Story, number: number) => `/deliveries/${encodeURIComponent(id)}?attempt=${number}`;

/** How long a delivery stood still between two instants, in milliseconds; never negative. */
export const waitedMs = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

/** Why what comes next comes when it does: the endpoint's room, an operator, or what the last attempt was followed by. */
export function whyNext({ waits_for, attempts_made }: Story, operatorSays: string | undefined): string {
  if (waits_for === 'turn') return 'It waits for room at its endpoint: others are in front of it.';
  return operatorSays ?? attempts_made.at(-1)?.next_attempt_why ?? 'The first attempt is made as soon as there is room.';
}
