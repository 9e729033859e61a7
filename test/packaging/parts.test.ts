import { expect, test } from 'vitest';
import { hasPart, missingPart, type Part, parts } from '../../contracts/parts.ts';

test.each(Object.keys(parts) as Part[])('%s is found here, where everything is installed', (part) => {
  expect(hasPart(part)).toBe(true);
});

test('whoever lacks a part is told the command that installs it', () => {
  expect(missingPart('@pact-foundation/pact-core')).toMatch(
    /^passerelle verify needs @pact-foundation\/pact-core, which is not installed: npm install --save-dev passerelle @pact-foundation\/pact-core@\d+\.\d+\.\d+$/,
  );
});
