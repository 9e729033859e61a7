import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Faults } from '../../stubs/faults/faults.ts';
import { checkNode, oldestNode } from '../../stubs/node-version.ts';

test.each(['20.19.5', '22.18.0', '18.0.0', '21.7.3'])('on Node %s startStub says which Node it needs', (version) => {
  expect(() => checkNode(version)).toThrow(`Passerelle needs Node 22.19 or newer, but this is v${version}.`);
});

test.each(['22.19.0', '22.20.1', '23.0.0', '24.21.0'])('Node %s is new enough', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test('the guide names the same version', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/partners/start-node.md'), 'utf8');
  expect(guide).toContain(`You need Node ${oldestNode} or newer`);
});

test('rules with a path need no RegExp.escape, which Node 22 does not have', () => {
  const before = Object.getOwnPropertyDescriptor(RegExp, 'escape') as PropertyDescriptor;
  onTestFinished(() => void Object.defineProperty(RegExp, 'escape', before));
  Reflect.deleteProperty(RegExp, 'escape');
  const faults = new Faults(['GET /a.b/{id}/c*:reset']);
  const call = (path: string) => faults.choose({ method: 'GET', path, operation: undefined, caller: '' }).outcome !== undefined;
  expect(['/a.b/7/c', '/a.b/7/cd/e', '/aXb/7/c', '/a.b/7/8/c'].map(call)).toEqual([true, true, false, false]);
});
