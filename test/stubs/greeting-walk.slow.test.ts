import { expect, test } from 'vitest';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { npxCommand } from '../../spec/documents/services.ts';
import { runHere, start } from '../program.ts';
import { openReceiver } from './partner.ts';

const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const sedOfTheGuide = (text: string) => text.replace(/.*"secret":"([^"]*)".*/s, '$1');

/** Runs what the greeting prints, as a partner would paste it. */
const pasted = (line: string, url: string) => {
  const [, command = ''] = line.split(npxCommand);
  const words = command.trim().split(/\s+/);
  return runHere(words.map((word) => word.replace('http://127.0.0.1:3000/hook', url)));
};

test.each([
  ['with an endpoint from the start', true],
  ['without one', false],
])('what the greeting prints fits a receiver that verifies: %s', async (_, withEndpoint) => {
  const receiver = await openReceiver(204);
  const running = start(['stub', 'pos', '--port', '0', ...(withEndpoint ? ['--webhook', receiver.url] : [])]);
  await expect.poll(() => running.stdout).toContain('Next: ');
  const [, url = ''] = /stub of pos at (\S+)/.exec(running.stdout) ?? [];
  const [, printed = ''] = /Signing secret +(\S+)/.exec(running.stdout) ?? [];
  const [, exported = ''] = /PASSERELLE_SIGNING_SECRET='(\S+)'/.exec(running.stdout) ?? [];
  const [next = ''] = /Next: .*/.exec(running.stdout) ?? [];
  const [, line = ''] = /export (PASSERELLE_.*)/.exec(running.stdout) ?? [];
  const env = Object.fromEntries([...line.matchAll(/(\w+)='([^']*)'/g)].map(([, name = '', value = '']) => [name, value]));
  const given = { api_key: env.PASSERELLE_POS_API_KEY, api_secret: env.PASSERELLE_POS_API_SECRET };
  const headers = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${env.PASSERELLE_POS_URL}/api/auth`, { method: 'POST', headers, body: JSON.stringify(given) });
  expect(signedIn.status).toBe(200);
  const reply = await fetch(`${url}/_stub`);
  expect([exported, sedOfTheGuide(await reply.text())]).toEqual([printed, printed]);

  const toReceiver = ['trigger', 'sync.completed', '--at', url, '--to', receiver.url];
  for (const run of [
    () => pasted(next.replace('Next:', ''), receiver.url),
    () => runHere(toReceiver),
    () => pasted(next.replace('Next:', ''), receiver.url),
    () => runHere([...toReceiver, '--secret', withEndpoint ? printed : otherSecret]),
  ]) {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, signed = printed] = /signed with (\S+)/.exec(stdout) ?? [];
    const { body = '', headers = {} } = receiver.received.at(-1) ?? {};
    expect(verifySignature(body, headers, signed).valid).toBe(true);
  }
  const after = await fetch(`${url}/_stub`);
  expect(sedOfTheGuide(await after.text())).toBe(printed);
  expect(receiver.received).toHaveLength(4);
});
