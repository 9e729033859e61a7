import { join } from 'node:path';
import type { InlineConfig } from 'vite';

/** The pages: the operator's console, and the profile of partners. Each has its own folder of sources and its own bundle. */
export const pages = { console: 'page', profile: 'profile' } as const;
export type PageName = keyof typeof pages;

/** Builds a page to its folder in `built`, including fonts and pictures. */
export const pageBuild = (name: PageName): InlineConfig => ({
  configFile: false,
  root: join(import.meta.dirname, pages[name]),
  base: `/${name}/`,
  // Warnings are about "use client" in libraries, which does not matter here.
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: join(import.meta.dirname, 'built', name),
    emptyOutDir: true,
    // The libraries' licences, served at /console/licenses.txt and /profile/licenses.txt.
    license: { fileName: 'licenses.txt' },
    // The content security policy allows `data:` only for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // The first browsers with light-dark(): its fallback for older ones does not work with Mantine's colour schemes.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1000,
  },
});
