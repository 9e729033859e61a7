import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../program.ts';
import { helperLanguages } from './helper-languages.ts';
import { play, skipped } from './play.ts';

test('no helper waits for anybody longer than its limit', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  // `cat` is not the process that the helper ends, and keeps its output open.
  const script = join(await newFolder(), 'script.sh');
  await writeFile(script, 'echo Installing; cat; true');
  const steps = [
    { do: 'stub.connect', with: [url], fails: [`${url}/_stub did not answer within 30 s`] },
    { do: 'stub.start', with: ['pos'], fails: ['did not say its address within 30 s; its output so far: Installing'] },
  ];
  // Long enough for a busy machine: the world of the case, and the first line, must come within it.
  const settings = { PASSERELLE_TIMEOUT: '30', PASSERELLE_COMMAND: `sh ${script}` };
  const present = Object.values(helperLanguages).filter((language) => !skipped(language)[0]);
  // At the same time, because each waits for a minute.
  const played = present.map((language) => play(language, [{ name: 'nobody answers', steps }], settings));
  for (const { stub } of await Promise.all(played)) expect((await stub.world()).name).toBe('world-2');
});
