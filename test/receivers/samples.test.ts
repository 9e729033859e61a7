import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledSamples, pastedSample, samples } from './programs.ts';
import { describeSample } from './sample-tests.ts';

describe.for([...samples, pastedSample])('$title', { concurrent: false }, describeSample);

test('docs/partners.md shows the samples unchanged', () => {
  const root = join(import.meta.dirname, '../..');
  const page = readFileSync(join(root, 'docs/partners.md'), 'utf8');
  const all = [...samples, ...compiledSamples];
  const files = all.map(({ name }) => readFileSync(join(root, 'receivers/samples', name), 'utf8'));
  const blocks = [...page.matchAll(/^```(?:ts|php|python|go|java|csharp|ruby)\n(.*?)^```$/gms)].map(([, code]) => code as string);
  expect(blocks).toHaveLength(all.length);
  for (const block of blocks) expect(files.filter((file) => file.includes(block))).toHaveLength(1);
});
