import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply } from '../helper.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Expects an HTML page whose policy allows only its own script and style sheet, and requests to this server. */
export function expectTextPage({ headers, text }: Reply): void {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const [styles = [], scripts = []] = ['style', 'script'].map((name) =>
    [...text.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, content = '']) => hashOf(content)),
  );
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; script-src ${scripts[0]}; style-src ${styles[0]}; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  expect([styles.length, scripts.length]).toEqual([1, 1]);
  expect(text).not.toMatch(/<[^>]* (style|on[a-z]+)=|<script |<link rel="stylesheet"/);
}
