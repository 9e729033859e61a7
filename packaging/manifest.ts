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
 * Returns the published package.json, with paths relative to `dist/`. Its dependencies are the packages that the bundled
 * programs still import, in the tested versions. Parts of single commands are optional peers (decision 020).
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
    bin: { passerelle: 'cli/bin.js' },
    exports: {
      ...Object.fromEntries(Object.entries(entries).map(exported)),
      ...prefixed(documents),
      './package.json': './package.json',
    },
    // The settings of `npm publish`: `access` also for a name with a scope, and who built it from which commit (packaging/release.ts).
    publishConfig: { access: 'public', provenance: true },
    dependencies: Object.fromEntries(needed.map((one) => [one, versionOf(root, one, imported.get(one))])),
    // Any version: with a range, npm would refuse the package to a partner who has another one. `parts` has the tested versions.
    peerDependencies: Object.fromEntries(optional.map((one) => [one, '*'])),
    parts: Object.fromEntries(optional.map((one) => [one, versionOf(root, one)])),
    peerDependenciesMeta: Object.fromEntries(optional.map((one) => [one, { optional: true }])),
  };
}

// `default`, not `import`: from Node 22 on, `require` loads ES modules too.
const exported = ([name, source]: [string, string]) => [
  name,
  { types: `./${built(source, '.d.ts')}`, default: `./${built(source, '.js')}` },
];

const prefixed = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `./${file}`]));

function versionOf({ dependencies }: RootManifest, name: string, importer = 'contracts/tools/parts.ts'): string {
  const version = dependencies[name];
  if (version === undefined)
    throw new Error(
      `${importer} imports ${name}, which is missing from the dependencies in package.json: add it with an exact version.`,
    );
  return version;
}
