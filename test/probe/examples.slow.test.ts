import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeTest } from '../program.ts';
import { probed } from './probed.ts';

const examples = join(import.meta.dirname, '../../examples/probe');

const shape = 'shows why the service refuses wrong credentials';
const time = 'test_shows_when_the_token_was_used';

/** What each example depends on, and on nothing else. */
const examplesOf: [name: string, api: string, command: [string, ...string[]], named: Record<string, string>][] = [
  [
    'the till in TypeScript: 201 and the exact shape of refusals',
    'pos',
    [process.execPath, ...nodeTest, 'strict.test.ts'],
    {
      'pos.sale-status=200': 'sells for cash',
      'harmless.extra-fields=on': shape,
      'pos.error-body=error-text': shape,
      'pos.error-body=problem-details': shape,
    },
  ],
  [
    'the dashboard in Python: long pages and the positions in a time',
    'cohesion',
    ['python3', 'dashboard.py'],
    {
      'cohesion.page-parameter=404-past-last': 'test_asks_for_a_page_that_is_not_there',
      'cohesion.timestamps=no-milliseconds': time,
      'cohesion.timestamps=microseconds': time,
      'cohesion.timestamps=offset': time,
      'cohesion.structures-per-page=always-25': 'test_shows_every_structure',
    },
  ],
  [
    'the till in PHP: exact statuses of refusals and the case of headers',
    'pos',
    ['php', 'till.php'],
    {
      'pos.error-conditions=400-unknown': 'says that the store does not exist',
      'pos.error-conditions=400-credentials': 'asks for the password again',
      'harmless.header-case=on': 'reads the inventory as JSON',
    },
  ],
];

test.for(examplesOf)('%s, and nothing else', async ([_, api, [program, ...args], expected], { skip }) => {
  skip(spawnSync(program, ['--version']).error !== undefined);
  const { code, named } = await probed(api, '--', program, ...args.slice(0, -1), join(examples, args.at(-1) ?? ''));
  expect({ code, named }).toEqual({ code: 1, named: expected });
});

test('the careful till is green, and its questions are those that only the owner can answer', async () => {
  const careful = await probed('pos', '--', process.execPath, ...nodeTest, join(examples, 'careful.test.ts'));
  const { code, named, asked, runs, stderr } = careful;
  const reads = 'sells at the price of the catalogue';
  const reference = 'keeps the reference of a sale';
  expect({ code, named, asked }).toEqual({
    code: 0,
    named: {},
    asked: {
      'pos.currency=smallest-unit': reads,
      'pos.payment-reference=sale-id': reference,
      'pos.sale-response=other-names': reference,
      'pos.inventory-response=other-names': reads,
      'pos.token-transport=own-header': `sells for cash, ${reference}, ${reads}`,
    },
  });
  expect(runs).toBeLessThan(60);
  expect(stderr).toMatch(/probe: \d+ runs ended, \d+ to go or more; found: 0 dependencies, 0 questions/);
});
