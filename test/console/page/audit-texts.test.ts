// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditedActions, wordsOfAction } from '../../../gateway/console/page/pages/audit/actions.ts';

interface Operation {
  operationId?: string;
}

/** The operations of an API with entries in the audit trail: changes and exports. */
function auditedIn(api: 'manage' | 'profile'): string[] {
  const document = readFileSync(join(import.meta.dirname, `../../../spec/openapi/${api}.json`), 'utf8');
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, Operation>> };
  return Object.values(paths)
    .flatMap((item) => Object.entries(item))
    .filter(([method, { operationId = '' }]) => method !== 'get' || operationId.startsWith('export'))
    .map(([, { operationId = '' }]) => operationId);
}

test('every operation that has entries in the audit trail can be chosen and has words, those of partners too', () => {
  const ids = [...auditedIn('manage'), ...auditedIn('profile')];
  expect(ids.length).toBeGreaterThan(60);
  expect(auditedActions.map(({ value }) => value).sort()).toEqual(ids.sort());
  for (const id of ids) expect([id, wordsOfAction(id)]).toEqual([id, expect.stringMatching(/^[a-zA-Z ]+$/)]);
  expect(ids.filter((id) => wordsOfAction(id) === id)).toEqual([]);
  expect([wordsOfAction('openProfileSession'), wordsOfAction('somethingNew')]).toEqual(['open session', 'somethingNew']);
});
