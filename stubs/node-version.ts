import { CouldNotRun } from '../contracts/tools/could-not-run.ts';

/** The oldest Node that the package supports: undici 8 needs it. */
export const oldestNode = '22.19';

/** Throws `CouldNotRun` on an older Node: it would fail later, at the first function that it does not have. */
export function checkNode(current: string = process.versions.node): void {
  const [major = 0, minor = 0] = current.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = oldestNode.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new CouldNotRun(`Passerelle needs Node ${oldestNode} or newer, but this is v${current}.`);
}
