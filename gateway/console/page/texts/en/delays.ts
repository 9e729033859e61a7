import { plural } from '../../lib/format.ts';

/** How late deliveries are, here and in the profile of partners. */
export const delays = {
  title: 'How late, and whose fault',
  none: (period: string) => `Nothing arrived ${period}.`,
  whole: (p50: string, p99: string, arrived: number) =>
    `From an event to its arrival: ${p50} (p50), ${p99} (p99), of ${plural(arrived, 'delivery', 'deliveries')}.`,
  inTime: (share: string, attempts: number) =>
    `${share} of ${plural(attempts, 'first attempt')} began within 5 s, counting the gateway's part alone. The objective is 99.9 %.`,
  /** Of one delivery. */
  waited: (parts: string) => `Waited for: ${parts}`,
  part: 'Waits for',
  share: 'Share',
  parts: {
    own: 'the gateway',
    limit: 'a limit of the endpoint',
    hold: 'the circuit, the order or the proxy',
    retry: 'the next attempt',
    receiver: "the receiver's answer",
  },
};
