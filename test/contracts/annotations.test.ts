import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { breakingCommand } from '../../cli/breaking.ts';
import { keysOf } from '../../contracts/tools/breaking/annotations.ts';
import { Lines } from '../../contracts/tools/reports/lines.ts';
import { spotOfTest } from '../../contracts/tools/reports/workflow-command.ts';
import { annotations } from '../../contracts/tools/verification/reports/annotations.ts';
import { probeAnnotations } from '../../probe/report/annotations.ts';
import { filesInJunit } from '../../probe/tests.ts';
import { fileWith, newFolder, runCommand } from '../program.ts';
import { interaction, price, verification } from './verifications.ts';

const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

test('a failed interaction is shown at its line of the pact', async () => {
  const one = (state: string, method: string) => ({
    description: 'reads the inventory',
    providerStates: [{ name: state }],
    request: { method },
  });
  const text = JSON.stringify({ interactions: [one('a store', 'GET'), one('no store', 'PUT')] }, null, 2);
  const source = await fileWith(text, 'pact.json');
  const failed = (state: string) =>
    annotations(
      verification([interaction({ source, outcome: 'failed', problems: [price], states: [{ name: state, params: {} }] })]),
    ).join();
  expect(failed('a store')).toContain(`pact.json,line=${lineOf(text, '"reads the inventory"')},`);
  const second = text.slice(text.indexOf('no store'));
  expect(failed('no store')).toContain(`line=${text.split('\n').length - second.split('\n').length + 1 - 3},`);
  expect(annotations(verification([interaction({ source: '/nowhere.json', outcome: 'failed' })])).join()).not.toContain('line=');
  expect(annotations(verification([interaction({ source: 'broker', outcome: 'failed' })])).join()).not.toContain('file=');
});

const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers:
  - url: /
paths:
  /carts/{cart}:
    parameters:
      - { name: cart, in: path, required: true, schema: { type: string } }
    get:
      x-throttle: []
      parameters:
        - $ref: '#/components/parameters/PerPage'
        - { name: page, in: query, schema: { type: integer } }
      responses:
        '200':
          description: A cart
          headers:
            X-Total: { schema: { type: integer } }
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Cart'
    post:
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - type: object
                  properties:
                    lines:
                      type: array
                      items:
                        type: object
                        properties:
                          product~/id: { type: string }
webhooks:
  cart.paid:
    post:
      requestBody:
        content:
          text/json: { schema: { properties: { paid: { type: string } } } }
components:
  parameters:
    PerPage: { name: per_page, in: query, schema: { type: integer } }
  schemas:
    Cart:
      type: object
      properties:
        total: { type: integer }
`;

test.each([
  ['GET /carts/{id}', '    get:'],
  ['GET /carts/{id}, query per_page', 'PerPage: {'],
  ['GET /carts/{id}, query page', 'name: page'],
  ['GET /carts/{id}, query gone', '      parameters:\n        -'],
  ['GET /carts/{id}, throttle', 'x-throttle'],
  ['GET /carts/{id}, reply 200', "'200'"],
  ['GET /carts/{id}, reply 404', 'responses:'],
  ['GET /carts/{id}, reply 200, header X-Total', 'X-Total'],
  ['GET /carts/{id}, reply 200, $.total', 'total: {'],
  ['GET /carts/{id}, reply 200, $.gone.too', '    Cart:'],
  ['GET /carts/{id}, reply 200, application/json $.total', 'total: {'],
  ['POST /carts/{id}, body, $.lines[].product~/id', 'product~/id'],
  ['POST /carts/{id}, body, $.lines[].gone', '  items:'],
  ['DELETE /carts/{id}', '  /carts/{cart}:'],
  ['GET /gone', 'paths:'],
  ['event cart.paid, $.paid', 'text/json'],
  ['event cart.gone', 'webhooks:'],
  ['servers', 'servers:'],
  ['authorization bearer', 'components:'],
])('%s is shown at the line of %j', (place, part) => {
  const found = new Lines(document).of(keysOf(place, parse(document)));
  expect(found).toBe(document.slice(0, document.indexOf(part)).split('\n').length);
});

test('breaking writes annotations in a workflow of GitHub only', async () => {
  const folder = await newFolder();
  const [old, now] = [join(folder, 'old.yaml'), join(folder, 'new.yaml')];
  writeFileSync(old, document);
  const changed = document.replace('total: {', 'sum: {');
  writeFileSync(now, changed);
  const run = () => runCommand(breakingCommand(), [old, now]);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('GITHUB_ACTIONS', '');
  expect((await run()).stderr).toBe('');
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^::error file=\\S+new\\.yaml,line=${lineOf(changed, '    Cart:')},title=GET /carts/\\{cart\\}%2C reply 200%2C \\$\\.total::The field was removed`,
      ),
    ),
  ]);
});

test('a dependency is shown at the first test whose file its name says', async () => {
  const folder = await newFolder();
  mkdirSync(join(folder, 'tests'));
  writeFileSync(join(folder, 'tests/test_till.py'), 'import till\n\n\ndef test_sale(method):\n    pass\n');
  writeFileSync(join(folder, 'till.test.ts'), "import { test } from 'vitest';\ntest('sells, for: cash', () => {});\n");
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(spotOfTest('tests/test_till.py::TestTill::test_sale[cash]')).toEqual({ file: 'tests/test_till.py', line: 4 });
    expect(spotOfTest('tests.test_till: test_sale')).toEqual({ file: 'tests/test_till.py', line: 4 });
    expect(spotOfTest('till.test.ts > till > sells, for: cash')).toEqual({ file: 'till.test.ts', line: 2 });
    expect(spotOfTest('till.test.ts: sells, for: cash')).toEqual({ file: 'till.test.ts', line: 2 });
    expect(spotOfTest('till.test.ts > another')).toEqual({ file: 'till.test.ts' });
    expect(spotOfTest('TillTest::testSale')).toBeUndefined();
    // node --test and PHPUnit write the file.
    const junit =
      '<testcase name="sells, for: cash" classname="test" file="till.test.ts"><failure/></testcase><testcase name="b"/>';
    expect([...filesInJunit(junit)]).toEqual([['sells, for: cash', 'till.test.ts']]);
    expect(spotOfTest('sells, for: cash', 'till.test.ts')).toEqual({ file: 'till.test.ts', line: 2 });
    for (const text of ['tests', '', 'a'.repeat(5000), 'a\0b', 'till.test.ts/x'])
      expect(spotOfTest(text), text.slice(0, 20)).toBeUndefined();
    const alternatives = [
      { id: 'pos.sale-status=200', question: 'Which?', choice: '201.', text: '200.', advice: 'Take any 2xx.' },
    ];
    const one = { alternatives, failedTests: ['sells', 'till.test.ts > sells, for: cash'], reason: '', lastLines: [] };
    const dependencies = [
      { ...one, standing: 'new' },
      { ...one, standing: 'accepted' },
    ] as never;
    expect(probeAnnotations({ dependencies }, new Map())).toEqual([
      '::error file=till.test.ts,line=2,title=depends on pos.sale-status=200::Which?%0AOur choice: 201.%0AAlternative: 200.%0AInstead: Take any 2xx.%0AFails: sells, till.test.ts > sells, for: cash',
    ]);
  } finally {
    process.chdir(before);
  }
});
