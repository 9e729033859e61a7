/** Runs the steps of `action.yml` as GitHub does with a composite action: `node test/packaging/composite.ts FOLDER NAME=VALUE...` */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export interface Step {
  name: string;
  run: string;
  env?: Record<string, string>;
  'working-directory'?: string;
}

interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  runs: { using: string; steps: Step[] };
}

export const readAction = (folder: string): Action => parse(readFileSync(join(folder, 'action.yml'), 'utf8'));

/** Runs the steps until one fails. `folder` has the action, `workspace` is the checked-out repository. */
export function runComposite(folder: string, given: Readonly<Record<string, string>>, workspace: string) {
  const { inputs, runs } = readAction(folder);
  const inputOf = (name: string) => given[name] ?? inputs[name]?.default ?? '';
  const filled = (text: string) => text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputOf(name));
  const own = mkdtempSync(join(tmpdir(), 'passerelle-action-'));
  const summary = join(own, 'summary');
  writeFileSync(summary, '');
  let ended = { status: 0, output: '' };
  for (const [at, { run, env = {}, 'working-directory': place = '.' }] of runs.steps.entries()) {
    // GitHub writes the text to a file, and starts bash so.
    const script = join(own, `${at}.sh`);
    writeFileSync(script, run);
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: resolve(workspace, filled(place)),
      encoding: 'utf8',
      env: {
        ...process.env,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: resolve(workspace),
        GITHUB_ACTION_PATH: resolve(folder),
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
      },
    });
    ended = { status: status ?? 1, output: `${ended.output}${stdout}${stderr}` };
    if (status !== 0) break;
  }
  return { ...ended, summary: readFileSync(summary, 'utf8') };
}

if (import.meta.main) {
  const [folder = '', ...pairs] = process.argv.slice(2);
  const inputs = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const { status, output, summary } = runComposite(folder, inputs, process.cwd());
  process.stdout.write(`${output}\n=== summary\n${summary}`);
  process.exitCode = status;
}
