/**
 * The CPU that the signatures of an attempt take, by the `signatures` of its endpoint, beside the two HMACs alone that every attempt
 * has. In turns, so that other load of the machine falls on all.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { Keyring } from '../gateway/base/keyring.ts';
import { newSigningSecret, signatureHeaders } from '../gateway/webhooks/sending/sign.ts';

const [rounds, times] = [15, 2000];
const body = JSON.stringify({ event: 'sale.completed', data: { filling: 'x'.repeat(400) } });
const [secret, old] = [newSigningSecret(), newSigningSecret()];
const keys = new Keyring(randomBytes(32));
const [key, oldKey] = [keys.signingKey('key_1'), keys.signingKey('key_2')];

const signs = (secrets: string[], privateKeys: KeyObject[]) => () =>
  signatureHeaders({
    eventId: 'evt_1',
    body,
    atMs: Date.now(),
    secrets,
    privateKeys,
    documented: secret,
    headerName: 'X-SERVICE-Signature',
  });

function hmacsAlone(): void {
  createHmac('sha256', secret).update(body).digest('hex');
  createHmac('sha256', secret.slice(6), { encoding: 'base64' })
    .update(`evt_1.${Math.floor(Date.now() / 1000)}.${body}`)
    .digest('base64');
}

const variants: Readonly<Record<string, () => unknown>> = {
  'two HMACs alone': hmacsAlone,
  v1: signs([secret], []),
  v1a: signs([], [key]),
  both: signs([secret], [key]),
  'both, in a rotation': signs([secret, old], [key, oldKey]),
};

function microsecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const found = new Map<string, number[]>(Object.keys(variants).map((name) => [name, []]));
for (let round = 0; round < rounds; round++)
  for (const [name, work] of Object.entries(variants)) found.get(name)?.push(microsecondsOf(work));
print('signatures | microseconds of CPU for each attempt');
for (const [name, all] of found) {
  const median = all.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
  print(`${name} | ${median.toFixed(1)}`);
}
