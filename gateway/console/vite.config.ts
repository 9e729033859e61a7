import { join } from 'node:path';
import type { InlineConfig } from 'vite';

/** How the operator's page is built: everything it needs, fonts and pictures too, is in the folder `built`. */
export const pageBuild: InlineConfig = {
  configFile: false,
  root: join(import.meta.dirname, 'page'),
  base: '/console/',
  // Its warnings are of "use client" in libraries, which has no meaning here.
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: join(import.meta.dirname, 'built'),
    emptyOutDir: true,
    // Those of React and the other libraries, at /console/licenses.txt.
    license: { fileName: 'licenses.txt' },
    // The page's policy allows no `data:` but for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // Browsers that know light-dark(): what would stand for it in older ones does not work with Mantine's schemes.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1000,
  },
};
