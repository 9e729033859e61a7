import { createHmac } from 'node:crypto';
import type { Keyring } from '../../gateway/base/keyring.ts';
import type { StoredSecret } from '../../gateway/store/tables/webhooks.ts';
import type { Receipt } from './receivers.ts';

/** The endpoint's secrets, as each of its versions had them that the sender may have read. */
type Known = readonly (readonly StoredSecret[])[];

/** As Standard Webhooks has it, and not by the gateway's code. */
function signatureOf(secret: string, { eventId, headers, body }: Receipt): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${eventId}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`;
}

const documentedOf = (secret: string, { body }: Receipt) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Says what is wrong with the signatures of a request. A test may be signed by the newest secret alone. */
export function wrongSignatures(receipt: Receipt, known: Known, keys: Keyring, isTest: boolean): string[] {
  const { headers, clockMs } = receipt;
  const inForce = known.map((secrets) => secrets.filter(({ expires_at }) => expires_at === null || expires_at > clockMs));
  const byId = new Map(inForce.flat().map((one) => [one.id, one]));
  const made = (headers['webhook-signature'] ?? '').split(' ');
  const signers = new Set([...byId.values()].filter(({ sealed }) => made.includes(signatureOf(keys.open(sealed), receipt))));
  const wrong = signers.size < made.length ? ['was signed by a secret that is not in force'] : [];
  if (isTest) return wrong;
  const missing = [...byId.values()].filter(
    (one) => inForce.every((all) => all.some(({ id }) => id === one.id)) && !signers.has(one),
  );
  // An endpoint's first secret signs also while the sender's clock is behind that of its creation.
  const documented = inForce.flatMap((all) => all.find(({ documented_from = 0 }) => documented_from <= clockMs) ?? all.slice(-1));
  const header = headers['X-SERVICE-Signature'];
  const isDocumented = documented.some(({ sealed }) => documentedOf(keys.open(sealed), receipt) === header);
  return [
    ...wrong,
    ...missing.map(({ id }) => `was not signed by ${id}, which is in force`),
    ...(isDocumented ? [] : ['has a documented signature by another secret']),
  ];
}
