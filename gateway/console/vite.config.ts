import { join } from 'node:path';
import type { InlineConfig } from 'vite';

/** Builds the console to the folder `built`, including fonts and pictures. */
export const pageBuild: InlineConfig = {
  configFile: false,
  root: join(import.meta.dirname, 'page'),
  base: '/console/',
  // Warnings are about "use client" in libraries, which does not matter here.
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: join(import.meta.dirname, 'built'),
    emptyOutDir: true,
    // The libraries' licences, served at /console/licenses.txt.
    license: { fileName: 'licenses.txt' },
    // The content security policy allows `data:` only for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // The first browsers with light-dark(): its fallback for older ones does not work with Mantine's colour schemes.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1000,
  },
};
