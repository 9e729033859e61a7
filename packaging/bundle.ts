import { dirname, join, relative } from 'node:path';
import {
  type ChunkingContext,
  type CodeSplittingGroup,
  type InputOptions,
  type OutputOptions,
  type Plugin,
  rolldown,
} from 'rolldown';
import { packageOf } from './reach.ts';

export interface Bundled {
  /** The generated code of each file, by its path relative to `root`. */
  files: Map<string, string>;
  /** Each package that is still imported, with the first file that imports it. */
  imported: Map<string, string>;
  /** The files of the bundled packages, as absolute paths. */
  modules: string[];
}

/** Modules that are loaded together, by the modules that load them. */
export interface Group {
  name: string;
  /** Paths relative to `root`. */
  loadedBy: readonly string[];
  /** True if it holds only what the groups that are not shared load too. */
  shared?: boolean;
}

/**
 * Bundles programs with the packages they import, except those for which `isApart` returns true. Each program keeps its
 * path relative to `root`; shared code goes to `chunks/`. Throws for every warning of the bundler. See decision 020.
 */
export async function bundle(
  root: string,
  programs: readonly string[],
  isApart: (name: string) => boolean,
  groups: readonly Group[] = [],
): Promise<Bundled> {
  const input = Object.fromEntries(programs.map((path) => [path.replace(/\.js$/, ''), join(root, path)]));
  const output = await generate(
    { input, external: (id) => isApart(packageOf(id)), plugins: [ownPlaces(root)] },
    {
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      ...(groups.length > 0 && { codeSplitting: { groups: grouped(root, groups) } }),
    },
  );
  const bundled: Bundled = { files: new Map(), imported: new Map(), modules: [] };
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is a ${file.type}: only code can be bundled.`);
    bundled.files.set(file.fileName, file.code);
    bundled.modules.push(...file.moduleIds.filter((id) => id.includes('/node_modules/')));
    for (const id of [...file.imports, ...file.dynamicImports].map(packageOf).filter(isApart))
      if (!bundled.imported.has(id)) bundled.imported.set(id, file.fileName);
  }
  return bundled;
}

/**
 * Puts each group into one file. A module belongs to the first group that loads it. Groups that are `shared` get only what a
 * group of the others loads too. So a file imports only files of earlier groups, and no two files import each other.
 */
function grouped(root: string, groups: readonly Group[]): CodeSplittingGroup[] {
  let places: ReadonlyMap<string, Group> | undefined;
  const placesIn = (context: ChunkingContext) => {
    const found = new Map<string, Group>();
    const reached = ({ loadedBy }: Group) => {
      const ids = new Set<string>();
      const add = (id: string): void => {
        if (ids.has(id)) return;
        ids.add(id);
        for (const one of context.getModuleInfo(id)?.importedIds ?? []) add(one);
      };
      for (const path of loadedBy) add(join(root, path));
      return ids;
    };
    const ofOthers = new Set(groups.filter(({ shared }) => !shared).flatMap((group) => [...reached(group)]));
    for (const group of groups)
      for (const id of reached(group)) if (!found.has(id) && (!group.shared || ofOthers.has(id))) found.set(id, group);
    return found;
  };
  return groups.map((group, at) => ({
    debugName: group.name,
    name(id, context) {
      places ??= placesIn(context);
      return places.get(id) === group ? group.name : null;
    },
    priority: groups.length - at,
  }));
}

async function generate(input: InputOptions, options: OutputOptions) {
  const build = await rolldown({
    ...input,
    platform: 'node',
    // A warning may mean that a package does not work in a bundle.
    onLog: (_level, log) => {
      // A group may hold a module that one file loads late and another one does not.
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
      throw new Error(`${log.code}: ${log.message}`);
    },
  });
  const { output } = await build.generate({ ...options, comments: { annotation: false, jsdoc: false, legal: true } });
  await build.close();
  return output;
}

/** Rewrites `import.meta.url` so that a module still finds the files beside its source, whichever chunk holds its code. */
const ownPlaces = (root: string): Plugin => ({
  name: 'own-places',
  transform(code, id) {
    if (!id.startsWith(`${root}/`) || id.includes('/node_modules/') || !code.includes('import.meta')) return null;
    const placed = code
      .replaceAll('import.meta.url', `__placeOf(${JSON.stringify(relative(root, id))})`)
      .replaceAll('import.meta.main', 'false');
    const other = /import\.meta\.\w+/.exec(placed);
    if (other) throw new Error(`${id} uses ${other[0]}, which a bundle cannot keep: use import.meta.url.`);
    return placed;
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/__placeOf\("([^"]+)"\)/g, (_all, path: string) => {
      return `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`;
    }),
});
