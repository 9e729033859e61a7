import { jsonReport as json } from '../../contracts/tools/reports/json.ts';
import { junitReport as junit } from '../../contracts/tools/reports/junit.ts';
import { markdownReport as markdown } from '../../contracts/tools/reports/markdown.ts';
import { type TextOptions, textReport as text } from '../../contracts/tools/reports/text.ts';
import { verificationReport } from '../../contracts/tools/verification/reports/report.ts';
import type { InteractionResult, Problem, Verification } from '../../contracts/tools/verification/result.ts';

export function interaction(changes: Partial<InteractionResult> = {}): InteractionResult {
  return {
    consumer: 'till',
    provider: 'pos',
    source: 'pacts/till-pos.json',
    kind: 'http',
    description: 'reads the inventory',
    states: [],
    outcome: 'verified',
    durationMs: 35,
    problems: [],
    restsOn: [],
    ...changes,
  };
}

export const price: Problem = {
  kind: 'body',
  path: '$.data.items[0].price',
  expected: '"4500"',
  actual: '4500',
  message: 'Expected a string, the provider sent a number.',
  documented: { document: 'spec/point-of-sale.md', section: '4. Endpoints', says: 'GET | /inventory | Body: not shown.' },
  gap: { id: 'pos.inventory-response', question: 'What does GET /inventory answer?', choice: 'data: store_id and items.' },
};

export function verification(interactions: InteractionResult[], changes: Partial<Verification> = {}): Verification {
  return {
    provider: 'pos',
    target: { kind: 'reference' },
    startedAt: '2026-11-21T08:53:00.000Z',
    durationMs: 1234,
    interactions,
    notices: [],
    unfinished: [],
    ...changes,
  };
}

/** A verification in which every foreign text is `text`. */
export function hostile(text: string): Verification {
  const problems = [{ ...price, path: text, expected: text, actual: text, message: text }];
  const states = [{ name: text, params: { [text]: text } }];
  const all = { consumer: text, source: text, description: text, states, problems };
  const outcomes = (['failed', 'pending', 'verified'] as const).map((outcome) => interaction({ ...all, outcome }));
  return verification(outcomes, { notices: [text], unfinished: [text], target: { kind: 'address', url: text } });
}

export const attacks = [
  '\u001b[2J\u001b]0;owned\u0007\u009b31m red',
  '\u202egnp.exe\u202c \u200b \u2028 \ufeff \u0000 \ud800 \uffff',
  '<script>alert(1)</script> </details></pre>]]>--> &amp; &#x1b; "\'',
  '| a | b |\n| --- |\r\n# heading\n```\n`code` ~~~ [a](javascript:x) ![b](c) *d* _e_ <b>',
  '@everyone #1 https://example.com www.example.com $x$ \\',
];

/** The reports of `passerelle verify`. */
export const textReport = (one: Verification, options: TextOptions) => text(verificationReport(one), options);
export const jsonReport = (verifications: readonly Verification[]) => json({ verifications });
export const junitReport = (verifications: readonly Verification[]) => junit(verifications.map(verificationReport));
export const markdownReport = (one: Verification) => markdown(verificationReport(one));
