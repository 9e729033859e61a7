import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Colours change slowly. A placeholder's animation never ends. */
const transitionsEnd = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished.catch(() => {})))`;

/** Everything else that axe returns takes it longer than the rules do. */
const onlyViolations = { resultTypes: ['violations'], selectors: false };
const violationsIn = `({ violations }) => violations.map(
  ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 150)).join(' | '))`;

/** What axe finds on a page, or in the part of it that the selector names, by all of its rules, or by those on colours alone. */
export async function violationsOn(page: Page, rules: 'all' | 'colours', part = 'html'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  await page.evaluate(transitionsEnd);
  const options = { ...onlyViolations, ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }) };
  return page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(${violationsIn})`);
}

/** What axe finds in light and dark, on a desktop and a phone. */
export async function violationsInEveryForm(page: Page): Promise<string[]> {
  const found: string[] = [];
  // Only the rules on colours depend on the scheme.
  for (const [colorScheme, rules] of [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await violationsOn(page, rules)).map((violation) => `${colorScheme}, ${width}: ${violation}`));
    }
  }
  return found;
}
