/**
 * `npm run dev`: the gateway, restarted when one of its files changes, and the console from Vite's development server, with hot
 * reload. Vite passes every other path on to the gateway. Options go to the gateway: `npm run dev -- --no-demo`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import { pageBuild } from './vite.config.ts';

const root = join(import.meta.dirname, '../..');
const port = process.env.PORT ?? '8080';

const gateway = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(root, 'gateway/server.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, PORT: port } },
);
const vite = await createServer({
  ...pageBuild,
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    // The page imports a file of the gateway and the generated types.
    fs: { allow: [root] },
    // Everything but the page. The Host header stays, or the manage API would refuse the page's changes as forged.
    proxy: { '^/(?!console)': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
});
await vite.listen();
process.stdout.write(`\n  Console with hot reload: ${vite.resolvedUrls?.local[0]}\n`);

// Ctrl-C reaches the gateway too: it ends gracefully, and this process with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => gateway.kill(signal));
gateway.on('exit', async (code) => {
  await vite.close();
  process.exit(code ?? 0);
});
