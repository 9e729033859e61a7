// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { expect, test } from 'vitest';
import type { Endpoint } from '../../../gateway/console/profile/lib/endpoints.ts';
import { choicesOf, nameOf } from '../../../gateway/console/profile/lib/own-endpoints.ts';

const endpoint = (id: string, url: string, description = '') => ({ id, url, description }) as Endpoint;
const hook = 'https://example.com/hook';

test("the filter's choices tell endpoints with one URL apart by their descriptions, or else by their ids", () => {
  const endpoints = [
    endpoint('ep_1', hook, 'Till'),
    endpoint('ep_2', hook, 'Accounting'),
    endpoint('ep_3', hook),
    endpoint('ep_4', 'https://example.com/same'),
    endpoint('ep_5', 'https://example.com/same'),
    endpoint('ep_6', 'https://example.org/', 'Twice'),
    endpoint('ep_7', 'https://example.org/', 'Twice'),
    // A description may look like another endpoint's URL.
    endpoint('ep_8', 'https://example.net/', hook),
  ];
  const choices = choicesOf(endpoints);
  expect(choices).toEqual([
    { value: 'ep_1', label: `Till (${hook})` },
    { value: 'ep_2', label: `Accounting (${hook})` },
    { value: 'ep_3', label: hook },
    { value: 'ep_4', label: 'https://example.com/same ep_4' },
    { value: 'ep_5', label: 'https://example.com/same ep_5' },
    { value: 'ep_6', label: 'Twice (https://example.org/) ep_6' },
    { value: 'ep_7', label: 'Twice (https://example.org/) ep_7' },
    { value: 'ep_8', label: `${hook} (https://example.net/)` },
  ]);
  expect(new Set(choices.map(({ label }) => label)).size).toBe(endpoints.length);
  expect(choicesOf([])).toEqual([]);
});

test('an endpoint is named by its URL, and by its id if it was deleted', () => {
  expect(nameOf([endpoint('ep_1', `${hook}/`, 'Till')], 'ep_1')).toMatch(/^example\.com\/hook/);
  expect(nameOf([], 'ep_1')).toBe('ep_1');
});
