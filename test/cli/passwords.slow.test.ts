import { expect, test } from 'vitest';
import { checkReceiver } from '../../stubs/receiver-check/run.ts';
import { v4 } from '../contracts/pact-files.ts';
import { listening } from '../listening.ts';
import { passerelle, runHere } from '../program.ts';

/**
 * Addresses with a login. Those with a bare slash in the password cannot be parsed, or mean another host
 * and a path.
 */
const addresses = [
  'http://till:geheim@localhost',
  'http://till:ge/heim@localhost',
  'till:geheim@localhost',
  'http://till:80/heim@x',
];

const advised = [
  ['receiver', 'check', '@', '--secret', 'x'],
  ['verify', 'pos', '--base-url', '@'],
  ['verify', 'pos', '--broker', '@'],
  ['verify', 'pos', '--pact', '@'],
  ['verify', 'webhook-receiver', '--secret', 'x', '--base-url', '@'],
  ['listen', '--token', 'x', '--forward-to', '@'],
  ['listen', '--token', 'x', '--at', '@'],
  ['trigger', 'sale.completed', '--to', '@'],
  ['stub', 'pos', '--port', '0', '--webhook', '@/hook=sale.completed'],
  ['observe', 'pos', '--upstream', '@'],
];

/** Words at a place where no address belongs, or of another kind. */
const misplaced = [
  ['verify', '@'],
  ['stub', 'pos', '@'],
  ['stub', 'pos', '--host', '@'],
  ['stub', 'pos', '--cors', '@'],
  ['doctor', 'signature', '@'],
];

async function sayOf(words: readonly string[], address: string) {
  const { code, stdout, stderr } = await runHere(words.map((word) => word.replace('@', () => address)));
  expect({ words, address, code, stdout }).toEqual({ words, address, code: 2, stdout: '' });
  expect(stderr, `${words} ${address}`).not.toMatch(/till:|geheim|heim|TypeError| {4}at /);
  return stderr;
}

test.each(advised.map((words) => [words]))(
  'an address with a login is refused with advice, and is not printed: %j',
  async (words) => {
    for (const address of addresses.filter((one) => !words.includes('--pact') || one !== addresses[0]))
      expect(await sayOf(words, address)).toMatch(/%40|credentials|There is no pact at \[redacted\]@localhost/);
  },
);

test.each(misplaced.map((words) => [words]))('a password is not printed where no address belongs: %j', async (words) => {
  await sayOf(words, 'http://till:ge/heim@localhost');
});

test('a variable of the environment follows the same rule', async () => {
  for (const address of addresses) {
    const { code, stderr } = await runHere(['trigger', 'sale.completed'], { env: { PASSERELLE_URL: address } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('%40') });
    expect(stderr).not.toMatch(/till|heim/);
  }
});

test('a program that checks a receiver gets an error without the password', async () => {
  for (const url of addresses) {
    const refused = await checkReceiver({ url, secret: 'x' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'CouldNotRun', message: expect.stringContaining('no user and no password') });
    expect(String(refused)).not.toMatch(/till|heim/);
  }
  await expect(checkReceiver({ url: 'nowhere', secret: 'x' })).rejects.toThrow('"nowhere" is not an address.');
});

test('a pact at an address with a login is downloaded, with the password as it was before it was encoded', async () => {
  const logins: string[] = [];
  const refusal = { description: 'a refusal', request: { method: 'POST', path: '/api/auth' }, response: { status: 400 } };
  const url = await listening((request, response) => {
    const [, login = ''] = (request.headers.authorization ?? '').split(' ');
    logins.push(Buffer.from(login, 'base64').toString());
    response.writeHead(200).end(JSON.stringify(v4([refusal])));
  });
  const place = `${url.replace('//', '//till:ge%2Fheim%25@')}/a.json`;
  const { code, stdout, stderr } = await passerelle(['verify', 'pos', '--pact', place]);
  expect(code, stderr).toBe(0);
  expect(`${stdout}${stderr}`).not.toContain('heim');
  expect(logins).toEqual(['till:ge/heim%']);
});
