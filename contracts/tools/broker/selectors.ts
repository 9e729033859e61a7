import type { ConsumerVersionSelector } from '@pact-foundation/pact-core';
import { z } from 'zod';
import { unusable } from './error.ts';

/** What a broker recommends: what is on each consumer's main branch, and what runs somewhere. */
export const defaultSelectors: readonly ConsumerVersionSelector[] = [{ mainBranch: true }, { deployedOrReleased: true }];

const words: Readonly<Record<string, ConsumerVersionSelector>> = {
  main: { mainBranch: true },
  deployed: { deployedOrReleased: true },
  matching: { matchingBranch: true },
  latest: { latest: true },
};

const namedForms = {
  branch: (branch: string): ConsumerVersionSelector => ({ branch }),
  tag: (tag: string): ConsumerVersionSelector => ({ tag, latest: true }),
  environment: (environment: string): ConsumerVersionSelector => ({ environment }),
};

const accepted =
  'Use main, deployed, matching, latest, branch:NAME, tag:NAME or environment:NAME, parted by commas, ' +
  'with consumer=NAME for one consumer only; or JSON such as [{"mainBranch":true},{"deployedOrReleased":true}].';

const text = z.string().trim().min(1);
const always = z.literal(true);
const selectorForm = z.strictObject({
  consumer: text.optional(),
  mainBranch: always.optional(),
  branch: text.optional(),
  matchingBranch: always.optional(),
  latest: z.boolean().optional(),
  tag: text.optional(),
  fallbackTag: text.optional(),
  deployedOrReleased: always.optional(),
  deployed: always.optional(),
  released: always.optional(),
  environment: text.optional(),
});

// As a broker groups them: it refuses a selector that mixes two groups.
const groups: readonly (readonly (keyof ConsumerVersionSelector)[])[] = [
  ['mainBranch'],
  ['branch'],
  ['matchingBranch'],
  ['tag', 'fallbackTag'],
  ['deployedOrReleased', 'deployed', 'released', 'environment'],
];

/**
 * Reads what a user wrote after --selectors: JSON, or short forms (`main,deployed`, `branch:feat/x,consumer=till-app`).
 * `tag:NAME` is the latest version of each consumer with that tag; `consumer=NAME` holds for all that stand with it.
 * Throws a BrokerError `settings` that names the wrong value and the accepted forms, and nothing else.
 */
export function parseSelectors(written: string): ConsumerVersionSelector[] {
  const trimmed = written.trim();
  return /^[[{]/.test(trimmed) ? fromJson(trimmed) : fromShortForms(trimmed);
}

function fromShortForms(written: string): ConsumerVersionSelector[] {
  const selectors: ConsumerVersionSelector[] = [];
  let consumer: string | undefined;
  for (const part of written.split(',').map((item) => item.trim())) {
    const [, key = '', name = ''] = /^(\w+)\s*[:=]\s*(.+)$/.exec(part) ?? [];
    if (key === 'consumer') {
      if (consumer !== undefined) throw wrong(part, 'a second consumer: write those selectors as JSON');
      consumer = name;
    } else if (Object.hasOwn(words, part)) selectors.push({ ...words[part] });
    else if (Object.hasOwn(namedForms, key)) selectors.push(namedForms[key as keyof typeof namedForms](name));
    else throw wrong(part, 'no selector');
  }
  if (selectors.length === 0) throw wrong(written, 'a consumer without a selector: add one, such as main');
  return selectors.map((selector) => (consumer === undefined ? selector : { ...selector, consumer }));
}

function fromJson(written: string): ConsumerVersionSelector[] {
  let content: unknown;
  try {
    content = JSON.parse(written);
  } catch (error) {
    throw wrong(written, `not JSON (${(error as Error).message})`);
  }
  const list = Array.isArray(content) ? content : [content];
  if (list.length === 0) throw wrong(written, 'an empty list');
  return list.map(checked);
}

function checked(value: unknown): ConsumerVersionSelector {
  const shown = JSON.stringify(value);
  const parsed = selectorForm.safeParse(value);
  if (!parsed.success) {
    const said = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
    throw wrong(shown, `no selector (${said.join('; ')})`);
  }
  const selector: ConsumerVersionSelector = parsed.data;
  const used = groups.filter((group) => group.some((key) => selector[key] !== undefined));
  if (used.length > 1) throw wrong(shown, `a mix of ${used.map(([key]) => key).join(' and ')}: make them two selectors`);
  if (used.length === 0 && !selector.latest) throw wrong(shown, 'a selector of nothing: add one of the forms');
  return selector;
}

const wrong = (value: string, why: string) => unusable(`--selectors: '${value}' is ${why}. ${accepted}`);
