import { createHmac } from 'node:crypto';
import type { Keyring } from '../../gateway/base/keyring.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { StoredSecret } from '../../gateway/store/tables/webhooks.ts';
import type { Receipt } from './receivers.ts';

type Signed = Pick<Row<'endpoints'>, 'secrets'>;

/** What may sign a request at a time, by the endpoint's row. */
interface Signer {
  name: string;
  made(signature: string): boolean;
}

const signedText = ({ eventId, headers, body }: Receipt) => `${eventId}.${headers['webhook-timestamp']}.${body}`;

/** As Standard Webhooks has it, and not by the gateway's code. */
function signatureOf(secret: string, receipt: Receipt): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signedText(receipt)).digest('base64')}`;
}

const documentedOf = (secret: string, { body }: Receipt) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const isInForce = ({ expires_at }: StoredSecret, { clockMs }: Receipt) => expires_at === null || expires_at > clockMs;

const signersOf = ({ secrets }: Signed, receipt: Receipt, keys: Keyring): Signer[] =>
  secrets
    .filter((one) => isInForce(one, receipt))
    .map(({ id, sealed }) => ({
      name: `the secret ${id}`,
      made: (signature) => signature === signatureOf(keys.open(sealed), receipt),
    }));

/**
 * Says what is wrong with the signatures of a request. `known`: each version of the endpoint that the sender may have read. A test
 * may be signed by the newest secret alone.
 */
export function wrongSignatures(receipt: Receipt, known: readonly Signed[], keys: Keyring, isTest: boolean): string[] {
  const { headers } = receipt;
  const signers = known.map((endpoint) => signersOf(endpoint, receipt, keys));
  const made = (headers['webhook-signature'] ?? '').split(' ');
  // Most versions have the same signers, and a signature takes long to verify.
  const byName = new Map(signers.flat().map((signer) => [signer.name, signer]));
  const madeBy = new Map([...byName].map(([name, signer]) => [name, made.filter(signer.made)]));
  const explained = new Set([...madeBy.values()].flat());
  const foreign = made.filter((signature) => !explained.has(signature));
  const wrong = foreign.map((signature) => `has the signature ${signature} by nothing that is in force`);
  if (isTest) return wrong;
  const [first = [], ...others] = signers;
  const missing = first.filter(
    (signer) => others.every((all) => all.some(({ name }) => name === signer.name)) && madeBy.get(signer.name)?.length === 0,
  );
  const documented = known.flatMap(({ secrets }) => secrets.filter((one) => isInForce(one, receipt)).slice(-1));
  const header = headers['X-SERVICE-Signature'];
  const isDocumented = documented.some(({ sealed }) => documentedOf(keys.open(sealed), receipt) === header);
  return [
    ...wrong,
    ...missing.map(({ name }) => `was not signed by ${name}, which is in force`),
    ...(isDocumented ? [] : ['has a documented signature by another secret']),
  ];
}
