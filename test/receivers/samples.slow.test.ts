import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compiledSamples, pastedSample, samples } from './programs.ts';
import { describeSample } from './sample-tests.ts';

describe.for([...samples, pastedSample])('$title', { concurrent: false }, describeSample);

test('the guides show each sample (node test/docs/write-tables.ts writes them)', () => {
  const pages = globSync(join(import.meta.dirname, '../../docs/partners/receiver-*.md')).map((page) =>
    readFileSync(page, 'utf8'),
  );
  const shown = pages.flatMap((page) => [...page.matchAll(/^```\w+ (\S+\.\w+)$/gm)].map(([, name]) => name));
  expect(shown.sort()).toEqual([...samples, ...compiledSamples].map(({ name }) => name).sort());
});
