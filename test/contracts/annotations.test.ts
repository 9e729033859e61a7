import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { probeAnnotations } from '../../contracts/tools/probe/report.ts';
import { spotOfTest } from '../../contracts/tools/reports/workflow-command.ts';
import { newFolder } from '../program.ts';

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
    expect(probeAnnotations({ dependencies })).toEqual([
      '::error file=till.test.ts,line=2,title=depends on pos.sale-status=200::Which?%0AOur choice: 201.%0AAlternative: 200.%0AInstead: Take any 2xx.%0AFails: sells, till.test.ts > sells, for: cash',
    ]);
  } finally {
    process.chdir(before);
  }
});
