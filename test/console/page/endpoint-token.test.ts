// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { render } from '@testing-library/react';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';
import { noValues } from '../../../gateway/figures/cause.ts';

setSharedTexts(text);
const { stateOf } = await import('../../../gateway/console/page/lib/endpoint-state.ts');
const { Token } = await import('../../../gateway/console/page/parts/endpoint/settings.tsx');

test("an endpoint's page says when its access token was got and ends, or what its token server answered", () => {
  const said = (of: Parameters<typeof Token>[0]['of']) =>
    render(createElement(Token, { of }))
      .container.innerHTML.replaceAll(/<time datetime="([^"]+)"[^>]*>[^<]*<.time>/g, '$1')
      .replaceAll(/<[^>]+>/g, '');
  const [at, until] = ['2026-11-27T10:00:00.000Z', '2026-11-27T11:00:00.000Z'];
  const got = { got_at: at, expires_at: until, failing_since: null, failed_at: null, error: null };
  expect(said(null)).toBe('none yet');
  expect(said(got)).toBe(`got ${at}, expires ${until}`);
  expect(said({ ...got, expires_at: null })).toBe(`got ${at}, without an end`);
  const failing = { ...got, got_at: null, failing_since: at, failed_at: until, error: 'The token server answered 503.' };
  expect(said(failing)).toBe(`The token server has given none since ${at}, last asked ${until}: The token server answered 503.`);
  const health = { state: 'ok', held_until: null, held_because: null, failing_since: null } as const;
  const cause = { case: 'no_token', text: '', values: { ...noValues, failure: 'token' } } as const;
  expect(stateOf({ active: true, disabled_reason: null, health, cause })).toMatchObject({ word: 'no_token', tone: 'error' });
});
