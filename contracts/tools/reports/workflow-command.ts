import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** A place in a file of the repository. */
export interface Spot {
  file: string;
  /** From 1. */
  line?: number | undefined;
}

/**
 * Returns a workflow command of GitHub Actions that shows an error, beside its place if there is one (docs.github.com, "Workflow
 * commands": https://docs.github.com/actions/reference/workflow-commands).
 */
export function errorCommand(title: string, message: string, spot?: Spot): string {
  // GitHub takes paths from the root of the repository.
  const file = spot && relative(process.env.GITHUB_WORKSPACE || '', resolve(spot.file)).replaceAll(sep, '/');
  const properties = { ...(file !== undefined && { file }), ...(spot?.line !== undefined && { line: String(spot.line) }), title };
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escaped(value, /[%\r\n:,]/g)}`);
  return `::error ${named.join(',')}::${escaped(message, /[%\r\n]/g)}`;
}

/** GitHub reads these characters as the end of a command or of a property. */
const escaped = (text: string, special: RegExp) =>
  text.replaceAll(special, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Returns where a test is, if its name says the file: `till.py::test_sale`, `till.test.ts > sells`, or of JUnit `tests.till: test_sale`. */
export function spotOfTest(test: string): Spot | undefined {
  const [start = '', ...parts] = test.split(/::|: | [>›] /);
  const file = [start, `${start.replaceAll('.', '/')}.py`].find(isFile);
  if (file === undefined) return undefined;
  // pytest writes the parameters of a test behind its name.
  const names = [test, parts.at(-1) ?? ''].map((name) => name.replace(/\[.*\]$/, '')).filter((name) => name !== '');
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((line) => names.some((name) => line.includes(name)));
  return at < 0 ? { file } : { file, line: at + 1 };
}

/** Never throws, as `statSync` does for a name that is too long: any text may be the name of a test. */
const isFile = (path: string) => existsSync(path) && statSync(path).isFile();
