import { existsSync } from 'node:fs';

/** The program of the browser; empty if there is none. The engine without its window does half of the work. */
export const chromiumPath =
  process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? '';
