import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { slim } from '../../packaging/install/slim.ts';

test('source maps and TypeScript sources of packages are deleted; programs, types and data stay', () => {
  const packages = mkdtempSync(join(tmpdir(), 'passerelle-slim-'));
  onTestFinished(() => rmSync(packages, { recursive: true }));
  const stay = [
    'a/index.js',
    'a/index.d.ts',
    'a/index.d.mts',
    'a/style.d.css.ts',
    'a/data.json',
    '@b/c/map.js',
    '@b/c/README.md',
  ];
  const go = ['a/index.js.map', 'a/index.d.ts.map', 'a/src/index.ts', '@b/c/src/index.mts', '@b/c/src/view.tsx', '.bin/x.cts'];
  for (const path of [...stay, ...go]) {
    mkdirSync(join(packages, dirname(path)), { recursive: true });
    writeFileSync(join(packages, path), '');
  }
  slim(packages);
  const left = readdirSync(packages, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map(({ parentPath, name }) => join(parentPath, name).slice(packages.length + 1)).sort()).toEqual(stay.sort());
});
