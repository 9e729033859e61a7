import type { Checks, Ledger } from './invariants.ts';
import type { Receipt } from './receivers.ts';
import type { Asked } from './token-server.ts';

const overlaps = (one: Asked, other: Asked) =>
  one.client === other.client && one.beganMs < other.endedMs && other.beganMs < one.endedMs;

/** What must hold of tokens. `clientsOf`: those that the endpoint of a request may have had, null for none. */
export const tokenInvariants = (clientsOf: (ledger: Ledger, receipt: Receipt) => (string | null)[]) =>
  ({
    'a request has a token for its endpoint, if that has OAuth2, and no other': (ledger) =>
      ledger.receivers.receipts.flatMap((receipt) => {
        const client = ledger.receivers.tokens.clientOf(receipt.headers.authorization);
        const known = clientsOf(ledger, receipt);
        return known.includes(client) ? [] : [`${receipt.url} got a token for ${client}, and not for ${known.join()}`];
      }),

    'a token server that fails does not count against the receiver': ({ servers, attempts }) => {
      const failed = attempts.filter(({ outcome }) => outcome !== 'success' && outcome !== 'token');
      const blamed = new Set(failed.map(({ endpoint_id }) => endpoint_id));
      return [...servers.oracle.versions].flatMap(([id, versions]) => {
        const isHeld = versions.some(({ row }) => row.held_until !== null || row.failing_since !== null);
        const names = versions.some(({ row }) => row.failing_with?.failure === 'token');
        return names || (isHeld && !blamed.has(id)) ? [`${id} is blamed for its token server`] : [];
      });
    },

    'an attempt without a token says what the token server did': ({ attempts }) =>
      attempts
        .filter(({ outcome, error }) => outcome === 'token' && !/^(The token server|Another process has asked)/.test(error ?? ''))
        .map(({ id, error }) => `${id} blames the token server: ${error}`),

    // A process that was suspended has lost its right to ask.
    'one process at a time asks for a token': ({ receivers: { tokens } }) => {
      const sound = tokens.asked.filter(({ process, beganMs }) => !process.isDead && process.disturbedAtMs < beganMs);
      const twice = sound.filter((one, at) => sound.slice(at + 1).some((other) => overlaps(one, other)));
      return twice.map(({ client, beganMs }) => `two processes ask for a token for ${client} at ${beganMs}`);
    },
  }) satisfies Checks;
