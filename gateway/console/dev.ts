/**
 * `npm run dev`: the gateway, restarted when one of its files changes, and the console and the profile, each from a development
 * server of Vite, with hot reload. Vite passes every other path on to the gateway. Options go to the gateway: `npm run dev -- --no-demo`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { type PageName, pageBuild, pages } from './vite.config.ts';

const root = join(import.meta.dirname, '../..');
const port = process.env.PORT ?? '8080';

const gateway = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(root, 'gateway/server.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit', env: { DEMO: 'new', ...process.env, PORT: port } },
);
const pagePorts = { console: 5173, profile: 5174 } as const satisfies Record<PageName, number>;

const servers = await Promise.all(
  (Object.keys(pages) as PageName[]).map(async (name) => {
    const vite = await createServer({
      ...pageBuild(name),
      plugins: [react()],
      // Both servers prepare the same libraries, each in its own folder.
      cacheDir: join(root, 'node_modules/.vite', name),
      server: {
        host: '127.0.0.1',
        port: pagePorts[name],
        // The pages import each other's parts, a file of the gateway and the generated types.
        fs: { allow: [root] },
        // Everything but the page; below /profile, the API too. The Host header stays, or the API would refuse the page's changes as forged.
        proxy: { [`^/(?!${name}(?:[/?]|$))|^/profile/v1/`]: { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
      },
    });
    return vite.listen();
  }),
);
for (const vite of servers) process.stdout.write(`\n  With hot reload: ${vite.resolvedUrls?.local[0]}\n`);

// Ctrl-C reaches the gateway too: it ends gracefully, and this process with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => gateway.kill(signal));
gateway.on('exit', async (code) => {
  await Promise.all(servers.map((vite) => vite.close()));
  process.exit(code ?? 0);
});
