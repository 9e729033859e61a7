import type { ConsumerVersionSelector } from '@pact-foundation/pact-core';
import { z } from 'zod';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { CouldNotRun } from '../could-not-run.ts';

/** Pact's recommended selectors: each consumer's main branch, and every deployed or released version. */
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
  'Use main, deployed, matching, latest, branch:NAME, tag:NAME or environment:NAME, separated by commas, ' +
  'and consumer=NAME to take one consumer only; or JSON such as [{"mainBranch":true},{"deployedOrReleased":true}].';

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

// A broker rejects a selector that mixes keys of two groups.
const groups: readonly (readonly (keyof ConsumerVersionSelector)[])[] = [
  ['mainBranch'],
  ['branch'],
  ['matchingBranch'],
  ['tag', 'fallbackTag'],
  ['deployedOrReleased', 'deployed', 'released', 'environment'],
];

/**
 * Parses `--selectors`: JSON, or short forms (`main,deployed`, `branch:feat/x,consumer=till-app`). `tag:NAME` selects the
 * latest version with that tag; `consumer=NAME` applies to all selectors beside it. Throws `CouldNotRun`.
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
      if (consumer !== undefined) throw wrong(part, 'names a second consumer: write these selectors as JSON');
      consumer = name;
    } else if (Object.hasOwn(words, part)) selectors.push({ ...words[part] });
    else if (Object.hasOwn(namedForms, key)) selectors.push(namedForms[key as keyof typeof namedForms](name));
    else throw wrong(part, 'is not a selector');
  }
  if (selectors.length === 0) throw wrong(written, 'names a consumer without a selector: add one, such as main');
  return selectors.map((selector) => (consumer === undefined ? selector : { ...selector, consumer }));
}

function fromJson(written: string): ConsumerVersionSelector[] {
  let content: unknown;
  try {
    content = JSON.parse(written);
  } catch (error) {
    throw wrong(written, `is not JSON (${(error as Error).message})`);
  }
  const list = Array.isArray(content) ? content : [content];
  if (list.length === 0) throw wrong(written, 'is an empty list');
  return list.map(checked);
}

function checked(value: unknown): ConsumerVersionSelector {
  const shown = JSON.stringify(value);
  setZodMessages();
  const parsed = selectorForm.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
    throw wrong(shown, `is not a selector (${problems.join('; ')})`);
  }
  const selector: ConsumerVersionSelector = parsed.data;
  const used = groups.filter((group) => group.some((key) => selector[key] !== undefined));
  if (used.length > 1) throw wrong(shown, `mixes ${used.map(([key]) => key).join(' and ')}: write two selectors`);
  if (used.length === 0 && !selector.latest) throw wrong(shown, 'selects nothing: add one of the keys');
  return selector;
}

const wrong = (value: string, why: string) => new CouldNotRun(`--selectors: '${value}' ${why}. ${accepted}`);
