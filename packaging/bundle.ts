import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { packageOf } from './reach.ts';

export interface Bundled {
  /** Code by its path below `root`. */
  files: Map<string, string>;
  /** Packages that are still imported, with the file that does. */
  imported: Map<string, string>;
  /** The files of packages that are part of it. */
  modules: string[];
}

/**
 * Bundles programs with the packages that they import, but for those of which `isApart` says so. Each program keeps its
 * place below `root`; what several of them need is in `chunks/`. See docs/decisions/020.
 */
export async function bundle(root: string, programs: readonly string[], isApart: (name: string) => boolean): Promise<Bundled> {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((path) => [path.replace(/\.js$/, ''), join(root, path)])),
    platform: 'node',
    external: (id) => isApart(packageOf(id)),
    plugins: [ownPlaces(root)],
    // A package that would not work in a bundle must not go unseen.
    onLog: (_level, log) => {
      throw new Error(`${log.code}: ${log.message}`);
    },
  });
  const { output } = await build.generate({
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: { annotation: false, jsdoc: false, legal: true },
  });
  await build.close();
  const bundled: Bundled = { files: new Map(), imported: new Map(), modules: [] };
  for (const file of output) {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no code.`);
    bundled.files.set(file.fileName, file.code);
    bundled.modules.push(...file.moduleIds.filter((id) => id.includes('/node_modules/')));
    for (const id of [...file.imports, ...file.dynamicImports].map(packageOf).filter(isApart))
      if (!bundled.imported.has(id)) bundled.imported.set(id, file.fileName);
  }
  return bundled;
}

/** A module goes on reading the files beside it as if it were where it was, whatever file its code is put in. */
function ownPlaces(root: string): Plugin {
  return {
    name: 'own-places',
    transform(code, id) {
      if (!id.startsWith(`${root}/`) || !code.includes('import.meta')) return null;
      const placed = code
        .replaceAll('import.meta.url', `__placeOf(${JSON.stringify(relative(root, id))})`)
        .replaceAll('import.meta.main', 'false');
      const other = /import\.meta\.\w+/.exec(placed);
      if (other) throw new Error(`${id} has ${other[0]}: a bundle keeps import.meta.url only.`);
      return placed;
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/__placeOf\("([^"]+)"\)/g, (_all, path: string) => {
        return `new URL(${JSON.stringify(relative(dirname(fileName), path))}, import.meta.url).href`;
      }),
  };
}
