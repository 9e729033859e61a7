import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withBrokerPacts } from '../../contracts/tools/broker/pacts.ts';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { readBroker } from '../../contracts/tools/broker/settings.ts';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { forAll } from '../for-all.ts';

describe('selectors', () => {
  test.each([
    ['main', [{ mainBranch: true }]],
    [' main , deployed ', [{ mainBranch: true }, { deployedOrReleased: true }]],
    ['latest,matching', [{ latest: true }, { matchingBranch: true }]],
    ['branch:feat/x,branch=a:b', [{ branch: 'feat/x' }, { branch: 'a:b' }]],
    ['environment:production', [{ environment: 'production' }]],
    [
      'consumer=back office,main,tag:eu',
      [
        { mainBranch: true, consumer: 'back office' },
        { tag: 'eu', latest: true, consumer: 'back office' },
      ],
    ],
    ['[{"mainBranch":true},{"deployedOrReleased":true}]', [{ mainBranch: true }, { deployedOrReleased: true }]],
    ['{"environment":"test","deployed":true,"consumer":"a"}', [{ environment: 'test', deployed: true, consumer: 'a' }]],
  ])('%s', (written, selectors) => {
    expect(parseSelectors(written)).toEqual(selectors);
  });

  test.each([
    ['mian', "'mian' is not a selector"],
    ['main,', "'' is not a selector"],
    ['constructor', "'constructor' is not a selector"],
    ['consumer=a', 'names a consumer without a selector'],
    ['main,consumer=a,consumer=b', "'consumer=b' names a second consumer"],
    ['[{"mainBranch":true}', 'is not JSON'],
    ['[]', 'is an empty list'],
    ['[{"mainbranch":true}]', '"mainbranch" is not a field of this request; the nearest is mainBranch'],
    ['[{"mainBranch":false}]', 'mainBranch: '],
    ['[{"branch":"a","tag":"b"}]', 'mixes branch and tag'],
    ['{"consumer":"a"}', 'selects nothing'],
  ])('%j is rejected', (written, message) => {
    expect(() => parseSelectors(written)).toThrow(message);
    expect(() => parseSelectors(written)).toThrow('Use main, deployed, matching, latest, branch:NAME');
  });

  test('any text gives at least one selector, or an error that names the accepted forms', () => {
    const word = fc.constantFrom('main', 'branch:', 'consumer=', 'tag:a', ',', ' ', '[', '{', '}', ']', '"', '__proto__');
    const written = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(word).map((words) => words.join('')),
    );
    forAll(500, [written], (text) => {
      try {
        expect(parseSelectors(text).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(CouldNotRun);
        expect((error as Error).message).toContain('--selectors: ');
      }
    });
  });
});

describe('the broker of the environment', () => {
  const url = 'https://broker.example.com';

  test("comes from Pact's variables; a given address wins", () => {
    expect(() => readBroker({ PACT_BROKER_BASE_URL: '' })).toThrow('set PACT_BROKER_BASE_URL');
    const env = { PACT_BROKER_BASE_URL: `${url}/`, PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: 'pw' };
    expect(readBroker(env)).toEqual({ url, username: 'ci', password: 'pw' });
    expect(readBroker(env, 'http://localhost:9292')).toMatchObject({ url: 'http://localhost:9292' });
  });

  test.each([
    [{ PACT_BROKER_BASE_URL: 'broker' }, "got 'broker'"],
    [{ PACT_BROKER_BASE_URL: 'ftp://broker' }, "got 'ftp://broker'"],
    [{ PACT_BROKER_BASE_URL: 'https://ci:hunter2@broker' }, 'must hold no credentials'],
    [{ PACT_BROKER_BASE_URL: 'ci:hunter2@broker' }, 'must hold no credentials'],
    [{ PACT_BROKER_TOKEN: 'hunter2', PACT_BROKER_USERNAME: 'ci' }, 'Unset PACT_BROKER_TOKEN'],
    [{ PACT_BROKER_PASSWORD: 'hunter2' }, 'set PACT_BROKER_USERNAME'],
  ])('%j is rejected, and no secret is shown', (env, message) => {
    const read = () => readBroker({ PACT_BROKER_BASE_URL: url, ...env });
    expect(read).toThrow(message);
    expect(read).not.toThrow('hunter2');
  });
});

test.each([
  [{ publish: true }, '--publish needs --provider-version'],
  [{ includeWipSince: '31/01/2026', providerBranch: 'main' }, "got '31/01/2026'"],
  [{ includeWipSince: '2026-02-30', providerBranch: 'main' }, "got '2026-02-30'"],
  [{ includeWipSince: '2026-01-31' }, '--include-wip needs --provider-branch'],
  [{ selectors: [{ matchingBranch: true as const }] }, 'The selector matching needs --provider-branch'],
])('%j is rejected before the broker is called', async (more, message) => {
  const source = { broker: { url: 'http://localhost:1' }, provider: 'pos', publish: false, ...more };
  await expect(withBrokerPacts(source, () => expect.unreachable())).rejects.toThrow(message);
});
