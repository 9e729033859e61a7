import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { roomRules } from './rooms.ts';

const root = join(import.meta.dirname, '..');
const importedFile = /^(?:import|export)\b[^'";]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

test('there is no import cycle, type imports included', () => {
  const files = globSync('{gateway,contracts,stubs,probe,cli,clients,receivers,packaging,fixtures}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['gateway/console/built/**', 'clients/generated/**'],
  });
  const imports = new Map(
    files.map((file) => {
      const matches = readFileSync(join(root, file), 'utf8').matchAll(importedFile);
      return [file, [...matches].map(([, from, lazy]) => posix.join(posix.dirname(file), from ?? lazy ?? ''))];
    }),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test('the linter has the rules of the rooms (npm run rooms writes them)', () => {
  expect(readFileSync(join(root, 'biome.rooms.json'), 'utf8')).toBe(roomRules());
});

test('no file of the gateway lies outside a room', () => {
  expect(globSync('*.ts', { cwd: join(root, 'gateway') }).sort()).toEqual(['app.ts', 'gateway.ts', 'listen.ts', 'server.ts']);
});

test('no object literal is spread into another, where TypeScript would not see a misspelt property', () => {
  const files = globSync('{bench,cli,clients,contracts,examples,gateway,packaging,probe,receivers,stubs,test}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['gateway/console/built/**', 'clients/generated/**', 'test/rooms.test.ts'],
  });
  expect(files.filter((file) => /[{,]\s*\.\.\.\{/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
