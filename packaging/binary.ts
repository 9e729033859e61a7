/**
 * Builds binary/passerelle: the command line, its data and this Node in one file, for machines without Node.
 * Needs dist/ (`packaging/build.ts`), whose data it takes. The file is for this machine's system and processor.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parts } from '../contracts/tools/parts.ts';
import { bundleInOne } from './bundle.ts';
import { embedded } from './contents.ts';
import { licencesOf } from './third-party.ts';

/** The injector that Node's documentation names. npm checks what it downloads; it is not among the dependencies of the repository. */
const injector = 'postject@1.0.0-alpha.6';

/** Official builds of Node contain it, followed by `:0`, or by `:1` once something was injected. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The asset with Scalar's script. */
const libraryName = 'scalar.js';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const isWindows = process.platform === 'win32';
const isMac = process.platform === 'darwin';
const binary = join(root, 'binary', isWindows ? 'passerelle.exe' : 'passerelle');
const scratch = mkdtempSync(join(tmpdir(), 'passerelle-binary-'));

try {
  await build();
} finally {
  rmSync(scratch, { recursive: true });
}
process.stdout.write(`${binary}: ${(statSync(binary).size / 1e6).toFixed(0)} MB, Node ${process.version}.\n`);

async function build(): Promise<void> {
  if (!readFileSync(process.execPath).includes(`${fuse}:0`))
    throw new Error(`${process.execPath} cannot carry a program: use Node from nodejs.org or from its npm package.`);
  const { code, modules } = await bundleInOne(root, 'cli/binary.ts', (name) => name in parts);
  const { main, library } = apart(code);
  const licences = `${licencesOf(modules)}\nNode ${process.versions.node}: https://github.com/nodejs/node/blob/${process.version}/LICENSE\n`;
  const blob = join(scratch, 'blob');
  const config = {
    main: inScratch('main.cjs', inAscii(main)),
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: {
      ...Object.fromEntries(
        embedded
          .flatMap((pattern) => globSync(pattern, { cwd: dist }))
          .map((path) => [path.replaceAll(sep, '/'), join(dist, path)]),
      ),
      [libraryName]: inScratch(libraryName, library),
      'THIRD-PARTY-LICENSES.txt': inScratch('licences.txt', licences),
    },
  };
  run(process.execPath, '--experimental-sea-config', inScratch('config.json', JSON.stringify(config)));
  mkdirSync(join(root, 'binary'), { recursive: true });
  copyFileSync(process.execPath, binary);
  chmodSync(binary, 0o755);
  // Symbols are for debuggers only. On macOS the signature covers them, and `strip` may be absent elsewhere.
  if (process.platform === 'linux') stripped();
  if (isMac) run('codesign', '--remove-signature', binary);
  const place = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  run('npx', '--yes', injector, binary, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...place);
  if (isMac) run('codesign', '--sign', '-', binary);
}

/**
 * Takes Scalar's script for browsers out of the code, of which it is half. As an asset it costs neither time nor memory until
 * a page of the reference is opened.
 */
function apart(code: string): { main: string; library: string } {
  const [, name, literal] = /^\s*(standalone_default) = (".*");$/m.exec(code) ?? [];
  if (!name || !literal) throw new Error("Scalar's script is not where it was in @scalar/fastify-api-reference.");
  const asset = `require("node:sea").getAsset(${JSON.stringify(libraryName)}, "utf8")`;
  return { main: code.replace(literal, () => asset), library: runInNewContext(literal) };
}

/** V8 keeps a program in ASCII with one byte a character; one other character doubles all. */
function inAscii(code: string): string {
  return code.replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inScratch(name: string, text: string): string {
  writeFileSync(join(scratch, name), text);
  return join(scratch, name);
}

function stripped(): void {
  try {
    run('strip', '--strip-all', binary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write('The machine has no strip (Debian: binutils): the file keeps 18 MB of symbols.\n');
  }
}

function run(program: string, ...args: string[]): void {
  // What it prints is shown if it fails. On Windows npx is a script.
  execFileSync(program, args, { stdio: 'pipe', shell: isWindows });
}
