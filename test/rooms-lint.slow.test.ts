import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const biome = join(root, 'node_modules/.bin/biome');

/** Lints files of one import each, at their places in a copy of the tree. Returns the paths that break an import rule. */
function lint(imports: readonly (readonly [path: string, from: string])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-rooms-'));
  try {
    for (const file of ['biome.json', 'biome.rooms.json']) copyFileSync(join(root, file), join(folder, file));
    for (const [path, from] of imports) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `import { thing } from '${from}';\n\nexport const other = thing;\n`);
    }
    const args = [biome, 'lint', '--only=style/noRestrictedImports', '--vcs-enabled=false', '--reporter=json', '.'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
    return diagnostics
      .filter(({ category }) => category === 'lint/style/noRestrictedImports')
      .map(({ location }) => location.path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One import of each room that its layer forbids, and one that it allows. */
const rooms: readonly [path: string, forbidden: string, allowed: string][] = [
  ['gateway/base/x.ts', '../store/port.ts', './errors.ts'],
  ['gateway/store/x.ts', '../queue/port.ts', '../base/errors.ts'],
  ['gateway/store/sql/x.ts', '../../webhooks/model/jobs.ts', '../port.ts'],
  ['gateway/queue/x.ts', '../store/port.ts', '../store/pglite/pool.ts'],
  ['gateway/queue/gate/x.ts', '../port.ts', '../../base/errors.ts'],
  ['gateway/figures/x.ts', '../webhooks/model/jobs.ts', '../store/port.ts'],
  ['gateway/webhooks/model/x.ts', '../outbox/event.ts', '../../store/port.ts'],
  ['gateway/webhooks/sending/x.ts', '../delivery/retry.ts', '../model/reasons.ts'],
  ['gateway/webhooks/outbox/x.ts', '../endpoints/health.ts', '../sending/sign.ts'],
  ['gateway/webhooks/endpoints/x.ts', '../delivery/retry.ts', '../outbox/event.ts'],
  ['gateway/webhooks/delivery/x.ts', '../upkeep/reconcile.ts', '../endpoints/health.ts'],
  ['gateway/webhooks/upkeep/x.ts', '../operator/manual.ts', '../delivery/retry.ts'],
  ['gateway/webhooks/operator/x.ts', '../../http/api.ts', '../delivery/retry.ts'],
  ['gateway/webhooks/webhooks.ts', '../start/config.ts', './delivery/deliver.ts'],
  ['gateway/alerts/x.ts', '../webhooks/delivery/retry.ts', '../webhooks/sending/guard.ts'],
  ['gateway/alerts/x.ts', '../http/api.ts', '../figures/ledger.ts'],
  ['gateway/http/x.ts', '../alerts/rules.ts', './record/record.ts'],
  ['gateway/http/x.ts', '../api/pos/api.ts', '../webhooks/outbox/event.ts'],
  ['gateway/http/x.ts', '../webhooks/delivery/retry.ts', './record/record.ts'],
  ['gateway/http/record/x.ts', '../limit/limit.ts', '../api.ts'],
  ['gateway/http/limit/x.ts', '../mount.ts', '../api.ts'],
  ['gateway/http/session/x.ts', '../mount.ts', '../limit/address-key.ts'],
  ['gateway/api/pos/calls/x.ts', '../../cohesion/errors.ts', '../../../webhooks/outbox/event.ts'],
  ['gateway/api/pos/calls/x.ts', '../../../webhooks/delivery/retry.ts', '../schemas.ts'],
  ['gateway/api/cohesion/calls/x.ts', '../../pos/schemas.ts', '../errors.ts'],
  ['gateway/manage/webhooks/x.ts', '../../start/config.ts', '../../webhooks/operator/manual.ts'],
  ['gateway/manage/x.ts', '../profile/caller.ts', '../api/pos/api.ts'],
  ['gateway/profile/x.ts', '../start/config.ts', '../manage/lists/csv.ts'],
  ['gateway/console/x.ts', '../manage/api.ts', '../base/errors.ts'],
  ['gateway/console/page/x.ts', '../../../stubs/stub.ts', './lib/api.ts'],
  ['gateway/console/profile/x.ts', '../page/pages/index.ts', '../page/lib/api.ts'],
  ['gateway/console/profile/texts/x.ts', '../../page/texts/index.ts', '../../page/texts/shared.ts'],
  ['gateway/start/x.ts', '../gateway.ts', '../manage/open.ts'],
  ['gateway/app.ts', './gateway.ts', './http/mount.ts'],
  ['gateway/gateway.ts', '../contracts/tools/compare.ts', './app.ts'],
  ['gateway/server.ts', '../stubs/stub.ts', './gateway.ts'],
  ['spec/gaps/x.ts', '../../gateway/base/errors.ts', './gap.ts'],
  ['spec/documents/x.ts', '../../contracts/tools/parts.ts', './services.ts'],
  ['spec/openapi/x.ts', '../../gateway/base/errors.ts', '../documents/services.ts'],
  ['contracts/consumers/x.ts', '../../gateway/base/errors.ts', '../../spec/gaps/gap.ts'],
  ['contracts/tools/x.ts', '../../stubs/stub.ts', '../../gateway/gateway.ts'],
  ['contracts/tools/probe/x.ts', '../../../cli/stub.ts', '../../../stubs/stub.ts'],
  ['test/history/x.ts', '../../gateway/webhooks/model/jobs.ts', '../../gateway/base/nearest.ts'],
  ['test/history/x.ts', '../../gateway/store/port.ts', './line.ts'],
  ['stubs/x.ts', '../cli/stub.ts', '../gateway/gateway.ts'],
  ['cli/x.ts', '../test/program.ts', '../stubs/stub.ts'],
  ['packaging/install/x.ts', '../../gateway/base/errors.ts', './tools.js'],
  ['receivers/x.ts', '../gateway/base/errors.ts', './verify-signature.ts'],
  ['spec/clients/x.ts', '../../gateway/base/errors.ts', './client.ts'],
  ['fixtures/x.ts', '../gateway/base/errors.ts', './pos.ts'],
];

const numbered = rooms.map(([path, ...imports], at) => [path.replace('/x.ts', `/x${at}.ts`), ...imports] as const);

test('lint refuses forbidden imports of each room', () => {
  const refused = lint(numbered.map(([path, forbidden]) => [path, forbidden]));
  expect(refused.sort()).toEqual(numbered.map(([path]) => path).sort());
});

test('lint accepts allowed imports of each room', () => {
  expect(lint(numbered.map(([path, , allowed]) => [path, allowed]))).toEqual([]);
});
