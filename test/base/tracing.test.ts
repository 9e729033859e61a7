import { expect, test } from 'vitest';
import { readTraceparent, traceIdOf } from '../../gateway/base/tracing.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

test.each([
  ['as specified', `00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`],
  ['not sampled', `00-${trace}-${parent}-00`, `00-${trace}-${parent}-00`],
  ['a later version', `cc-${trace}-${parent}-01-what-comes`, `00-${trace}-${parent}-01`],
  ['a later version without more', `cc-${trace}-${parent}-01`, `00-${trace}-${parent}-01`],
  ['version ff', `ff-${trace}-${parent}-01`, null],
  ['version 00 with more', `00-${trace}-${parent}-01-more`, null],
  ['no trace', `00-${'0'.repeat(32)}-${parent}-01`, null],
  ['no parent', `00-${trace}-${'0'.repeat(16)}-01`, null],
  ['upper case', `00-${trace.toUpperCase()}-${parent}-01`, null],
  ['too short', `00-${trace}-${parent}`, null],
  ['space', ` 00-${trace}-${parent}-01`, null],
  ['several', [`00-${trace}-${parent}-01`], null],
  ['nothing', '', null],
  ['absent', undefined, null],
  ['long', `cc-${trace}-${parent}-01-${'x'.repeat(300)}`, null],
])('a traceparent: %s', (_, header, expected) => {
  expect(readTraceparent(header)).toBe(expected);
  if (expected !== null) expect(traceIdOf(expected)).toBe(trace);
});
