import { parts } from '../contracts/tools/parts.ts';
import { documents, entries, nodeVersions } from './contents.ts';

export interface RootManifest {
  name: string;
  version: string;
  description: string;
  license?: string;
  repository?: unknown;
  keywords?: string[];
  dependencies: Record<string, string>;
}

export const built = (source: string, extension: '.js' | '.d.ts') => source.replace(/\.ts$/, extension);

/**
 * The package.json that is published, with paths from the repository's root, where `npm pack` reads it. It depends on exactly what its programs import, in the versions that are tested; the
 * parts of single commands are peers that nobody is made to install.
 */
export function manifestOf(root: RootManifest, imported: ReadonlyMap<string, string>): object {
  const { name, version, description, license, repository, keywords } = root;
  const needed = [...imported.keys()].filter((one) => !(one in parts)).sort();
  const optional = Object.keys(parts);
  return {
    name,
    version,
    description,
    ...(license === undefined ? {} : { license }),
    ...(repository === undefined ? {} : { repository }),
    ...(keywords === undefined ? {} : { keywords }),
    type: 'module',
    engines: { node: nodeVersions },
    files: ['dist'],
    bin: { passerelle: 'dist/cli/bin.js' },
    exports: {
      ...Object.fromEntries(Object.entries(entries).map(exported)),
      ...prefixed(documents),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(needed.map((one) => [one, versionOf(root, one, imported.get(one))])),
    // Any version: npm would refuse a stub to whoever has another for work of their own. `parts` has the one that is tested.
    peerDependencies: Object.fromEntries(optional.map((one) => [one, '*'])),
    parts: Object.fromEntries(optional.map((one) => [one, versionOf(root, one)])),
    peerDependenciesMeta: Object.fromEntries(optional.map((one) => [one, { optional: true }])),
  };
}

// `default` and not `import`: Node 22 gives ES modules to `require` too.
const exported = ([name, source]: [string, string]) => [
  name,
  { types: `./dist/${built(source, '.d.ts')}`, default: `./dist/${built(source, '.js')}` },
];

const prefixed = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `./dist/${file}`]));

function versionOf({ dependencies }: RootManifest, name: string, importer = 'contracts/tools/parts.ts'): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`${importer} needs ${name}, which is not among the dependencies in package.json.`);
  return version;
}
