import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { RecordedCall } from '../../stubs/journal/call.ts';
import { Journal } from '../../stubs/journal/journal.ts';
import { curlOf } from '../../stubs/journal/shown.ts';
import { forAll } from '../for-all.ts';
import { missingOfHar } from '../har.ts';
import { call, post, stub } from './harness.ts';

describe('har()', () => {
  test('has every field that HAR 1.2 requires', async () => {
    const { url, journal } = await stub({ rules: ['readThing:status=503,times=1'] });
    await post(url, { name: 'é' });
    await fetch(`${url}/things/1?a=b&a=c%20d`);
    const { log } = journal.har();
    expect(log).toMatchObject({ version: '1.2', creator: { name: expect.any(String), version: expect.any(String) } });
    expect(log.entries).toHaveLength(2);
    for (const entry of log.entries) expect(missingOfHar(entry)).toEqual([]);
    expect(log.entries[0]?.request).toMatchObject({
      postData: { mimeType: 'application/json', text: '{"name":"é"}' },
      bodySize: 13,
    });
    expect(log.entries[1]).toMatchObject({
      request: {
        url: `${url}/things/1?a=b&a=c%20d`,
        queryString: [
          { name: 'a', value: 'b' },
          { name: 'a', value: 'c d' },
        ],
      },
      response: { status: 503, statusText: 'Service Unavailable' },
      comment: 'readThing: fault readThing:status=503,times=1',
    });
    expect(log.entries.map(({ request }) => 'postData' in request)).toEqual([true, false]);
  });

  test('has no secrets unless `secrets` is true', () => {
    const journal = new Journal();
    journal.record(call({ requestBody: '{"api_secret":"hush"}', responseBody: '{"token":"hush"}', url: '/things?token=hush' }));
    expect(JSON.stringify(journal.har())).not.toMatch(/hush|abc/);
    const whole = JSON.stringify(journal.har({ secrets: true }));
    expect(whole.match(/hush/g)).toHaveLength(4);
    expect(whole).toContain('Bearer abc');
  });
});

describe('curlOf()', () => {
  test('is one line that repeats the call', () => {
    const headers = {
      host: 'localhost:8080',
      'content-length': '12',
      connection: 'keep-alive',
      authorization: 'Bearer abc',
      'x-empty': '',
    };
    expect(curlOf(call({ requestHeaders: headers, requestBody: `{"name":"it's"}`, url: '/things?a=[1]' }))).toBe(
      `curl --globoff -X POST 'http://localhost:8080/things?a=[1]' -H 'authorization: Bearer [redacted]' -H 'x-empty;' --data-raw '{"name":"it'\\''s"}'`,
    );
    expect(curlOf(call({ method: 'GET', requestBody: '', requestHeaders: headers }), { secrets: true })).toContain(
      "-H 'authorization: Bearer abc'",
    );
    expect(curlOf(call({ method: 'HEAD', requestBody: '', requestHeaders: {} }))).toBe('curl --head http://localhost/things');
  });

  // A fake `curl` records its arguments as the shell passes them, and its standard input.
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-curl-'));
  const wordsFile = join(folder, 'words');
  const inputFile = join(folder, 'input');
  writeFileSync(
    join(folder, 'curl'),
    `#!/bin/sh\nprintf '%s\\0' "$@" > '${wordsFile}'\ncase "$*" in *@-) cat > '${inputFile}';; esac\n`,
  );
  chmodSync(join(folder, 'curl'), 0o755);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is safe in a shell for any call', () => {
    const pieces = ['$(id)', '`id`', '\\', '\\0', '\0', '\n', '%b', '🙂', ...`'"!* ;&@-éa`];
    const nasty = fc.array(fc.constantFrom(...pieces));
    const texts = fc.oneof(
      nasty.map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    const header = texts.map((text) => text.replaceAll(/[\0-\x1f\x7f]/g, '').trim());
    forAll({ numRuns: 80, examples: [['@-', '@-', '@-']] }, [texts, header, fc.webPath()], (requestBody, value, path) => {
      const line = curlOf(call({ requestBody, requestHeaders: { host: 'h', 'x-nasty': value }, url: `/${path}` }), {
        secrets: true,
      });
      execFileSync('sh', ['-c', line], { env: { PATH: `${folder}:/usr/bin:/bin` } });
      const words = readFileSync(wordsFile, 'utf8').split('\0').slice(0, -1);
      const body =
        words.at(-2) === '--data-binary' ? readFileSync(inputFile, 'utf8') : words.includes('--data-raw') ? words.at(-1) : '';
      expect(body).toBe(requestBody);
      expect(words).toContain(value === '' ? 'x-nasty;' : `x-nasty: ${value}`);
      expect(words).toContain(`http://h/${path}`);
    });
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  test.runIf(hasCurl)('works with the real curl', async () => {
    const { url, journal } = await stub();
    await post(url, { name: `it's "$HOME" \\ é` });
    const [first] = journal.calls();
    const made = spawn('sh', ['-c', `${curlOf(first as RecordedCall)} -s`]);
    await once(made, 'close');
    expect(journal.calls()[1]?.requestBody).toBe(first?.requestBody);
  });
});
