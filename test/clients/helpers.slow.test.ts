import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../program.ts';
import { openStub } from '../stubs/partner.ts';
import { type HelperLanguage, helperLanguages } from './helper-languages.ts';
import cases from './helpers/cases.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/** The worlds that the cases start on the stub that runs: each case has one before its first step. */
const worlds =
  cases.length +
  cases.flatMap(({ steps }): { do: string }[] => steps).filter((step) => step.do === 'stub.world' && !('fails' in step)).length;

test('there are 25 cases', () => expect(new Set(cases.map(({ name }) => name)).size).toBe(25));

/** Plays cases in a language, on a new stub, and returns that with what its test runner printed. It passes, or this fails. */
async function play({ files, run }: HelperLanguage, played: unknown[], settings: Record<string, string>) {
  const folder = await newFolder();
  for (const file of files) await cp(join(root, file), join(folder, file.split('/').at(-1) ?? ''));
  await writeFile(join(folder, 'cases.json'), JSON.stringify(played));
  const stub = await openStub('cohesion');
  // A stub on this machine is not behind a proxy.
  const env = { ...process.env, PASSERELLE_COHESION_URL: stub.url, http_proxy: 'http://127.0.0.1:9', ...settings };
  const ran = await promisify(execFile)('sh', ['-c', run], { cwd: folder, env }).catch((failed) => failed);
  expect(ran.code, ran.stdout).toBeUndefined();
  return { stub, stdout: ran.stdout };
}

const languages = test.for(Object.entries(helperLanguages));
const skipped = ({ probe, packages }: HelperLanguage) =>
  [spawnSync('sh', ['-c', probe]).status !== 0, `These tools are missing: apt-get install ${packages}.`] as const;

languages('the helper for %s passes every case, in the language’s own test runner', async ([, language], { skip }) => {
  skip(...skipped(language));
  const command = `${process.execPath} ${join(root, 'cli/bin.js')}`;
  const { stub, stdout } = await play(language, cases, { PASSERELLE_COMMAND: command });
  expect(stdout).toContain(language.passed);
  // Each step was played on this stub, and each world has ended.
  expect(stub.worlds()).toEqual([]);
  expect((await stub.world()).name).toBe(`world-${worlds + 1}`);
});

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
