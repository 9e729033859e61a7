import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from '../helper.ts';

/** Expects an HTML page that runs nothing and whose policy allows its own style sheet only. */
export function expectTextPage({ headers, text }: Reply): void {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const styles = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) =>
    createHash('sha256').update(style).digest('base64'),
  );
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${styles[0]}'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(styles).toHaveLength(1);
  expect(text).not.toMatch(/<[^>]* (style|on[a-z]+)=|<script|<link rel="stylesheet"/);
}
