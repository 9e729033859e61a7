import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { settled } from './console.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Everything else that axe returns takes it longer than the rules do. None of them reads style sheets, which it would
 * parse first.
 */
const onlyViolations = { resultTypes: ['violations'], selectors: false, preload: false };
const violationsIn = `({ violations }) => violations.map(
  ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 150)).join(' | '))`;

/** What axe finds on a page, or in the part of it that the selector names, by all of its rules, or by those on colours alone. */
export async function violationsOn(page: Page, rules: 'all' | 'colours', part = 'html'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options = { ...onlyViolations, ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }) };
  return page.evaluate(`axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)}).then(${violationsIn})`);
}

/** What axe finds in light and dark, on a desktop and a phone, and whether the page is wider than the phone. */
export async function violationsInEveryForm(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    // Only the rules on colours depend on the scheme.
    for (const [colorScheme, rules] of [
      ['dark', 'colours'],
      ['light', 'all'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        `(document.documentElement.dataset.mantineColorScheme ?? '${colorScheme}') === '${colorScheme}'`,
      );
      found.push(...(await violationsOn(page, rules)).map((violation) => `${colorScheme}, ${width}: ${violation}`));
    }
  }
  return [...found, ...(await tooWideForPhone(page))];
}

/** Whether a page is wider than a phone. */
export async function tooWideForPhone(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 360, height: 740 });
  // Charts follow a moment later.
  await settled(page);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  return width > 360 ? [`${width} wide on a phone of 360`] : [];
}
