import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../../contracts/tools/broker/client.ts';
import { BrokerError } from '../../contracts/tools/broker/error.ts';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { brokerFromEnvironment, requireBroker } from '../../contracts/tools/broker/settings.ts';
import { brokerSource } from '../../contracts/tools/broker/verifier-options.ts';

describe('selectors', () => {
  test.each([
    ['main', [{ mainBranch: true }]],
    [' main , deployed ', [{ mainBranch: true }, { deployedOrReleased: true }]],
    ['latest', [{ latest: true }]],
    ['matching', [{ matchingBranch: true }]],
    ['branch:feat/x', [{ branch: 'feat/x' }]],
    ['branch=a:b', [{ branch: 'a:b' }]],
    ['tag:prod', [{ tag: 'prod', latest: true }]],
    ['environment:production', [{ environment: 'production' }]],
    [
      'consumer=back office,main,tag:eu',
      [
        { mainBranch: true, consumer: 'back office' },
        { tag: 'eu', latest: true, consumer: 'back office' },
      ],
    ],
    ['[{"mainBranch":true},{"deployedOrReleased":true}]', [{ mainBranch: true }, { deployedOrReleased: true }]],
    ['{"tag":"prod"}', [{ tag: 'prod' }]],
    ['{"environment":"test","deployed":true,"consumer":"a"}', [{ environment: 'test', deployed: true, consumer: 'a' }]],
  ])('%s', (written, selectors) => {
    expect(parseSelectors(written)).toEqual(selectors);
  });

  test.each([
    ['', "''"],
    ['mian', "'mian' is no selector"],
    ['main,', "'' is no selector"],
    ['branch:', "'branch:' is no selector"],
    ['constructor', "'constructor' is no selector"],
    ['toString:x', "'toString:x' is no selector"],
    ['consumer=a', 'a consumer without a selector'],
    ['main,consumer=a,consumer=b', "'consumer=b' is a second consumer"],
    ['[{"mainBranch":true}', 'not JSON'],
    ['[]', 'an empty list'],
    ['[{"mainbranch":true}]', 'Unrecognized key: "mainbranch"'],
    ['[{"mainBranch":false}]', 'mainBranch: '],
    ['[{"branch":"a","tag":"b"}]', 'a mix of branch and tag'],
    ['{"consumer":"a"}', 'a selector of nothing'],
    ['[null]', "'null' is no selector"],
  ])('%j is refused', (written, message) => {
    expect(() => parseSelectors(written)).toThrow(message);
    expect(() => parseSelectors(written)).toThrow('Use main, deployed, matching, latest, branch:NAME');
  });

  const word = fc.constantFrom(
    'main',
    'deployed',
    'branch:',
    'consumer=',
    'tag:a',
    ',',
    ' ',
    '[',
    '{',
    '}',
    ']',
    '"',
    '__proto__',
  );
  const written = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(word).map((words) => words.join('')),
  );
  test('whatever is written, there is at least one selector, or one error that names the forms', () => {
    fc.assert(
      fc.property(written, (text) => {
        try {
          expect(parseSelectors(text).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(BrokerError);
          expect(error).toMatchObject({ code: 'settings', message: expect.stringContaining('--selectors: ') });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the broker that the environment names', () => {
  const url = 'https://broker.example.com';

  test('is read from the variables of Pact, what is given first', () => {
    expect(brokerFromEnvironment({})).toBeUndefined();
    expect(brokerFromEnvironment({ PACT_BROKER_BASE_URL: '' })).toBeUndefined();
    expect(() => requireBroker(undefined)).toThrow('set PACT_BROKER_BASE_URL');
    const env = { PACT_BROKER_BASE_URL: `${url}/`, PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: 'pw' };
    expect(brokerFromEnvironment(env)).toMatchObject({ url, username: 'ci', password: 'pw' });
    expect(brokerFromEnvironment(env, { url: 'http://localhost:9292', password: 'other' })).toMatchObject({
      ...{ url: 'http://localhost:9292', username: 'ci', password: 'other' },
    });
  });

  test('takes nothing of the environment along but proxies and certificates', () => {
    const env = { PACT_BROKER_BASE_URL: url, https_proxy: 'http://proxy:3128', DATABASE_URL: 'postgres://secret' };
    expect(brokerFromEnvironment(env)?.environment).toEqual({ https_proxy: 'http://proxy:3128' });
  });

  test.each([
    [{ PACT_BROKER_BASE_URL: 'broker' }, "PACT_BROKER_BASE_URL is 'broker'"],
    [{ PACT_BROKER_BASE_URL: 'ftp://broker' }, "PACT_BROKER_BASE_URL is 'ftp://broker'"],
    [{ PACT_BROKER_BASE_URL: 'https://ci:hunter2@broker' }, 'must hold no credentials'],
    [{ PACT_BROKER_BASE_URL: 'ci:hunter2@broker' }, 'must hold no credentials'],
    [{ PACT_BROKER_TOKEN: 'hunter2', PACT_BROKER_USERNAME: 'ci' }, 'Take one: unset PACT_BROKER_TOKEN'],
    [{ PACT_BROKER_PASSWORD: 'hunter2' }, 'set PACT_BROKER_USERNAME'],
  ])('%j is refused, and no secret shown', (env, message) => {
    const read = () => brokerFromEnvironment({ PACT_BROKER_BASE_URL: url, ...env });
    expect(read).toThrow(message);
    expect(read).not.toThrow('hunter2');
  });
});

test('a secret that a broker echoes is not passed on, whichever form it has', () => {
  const basic = { url: 'http://localhost:9292', username: 'ci', password: 'hunter2' };
  const encoded = Buffer.from('ci:hunter2').toString('base64');
  expect(withoutSecrets(basic, `ci:hunter2 Basic ${encoded}`)).toBe('ci:*** Basic ***');
  expect(withoutSecrets({ url: 'http://localhost:9292', token: 'tok' }, 'Bearer tok, tok')).toBe('Bearer ***, ***');
  expect(withoutSecrets({ url: 'http://localhost:9292' }, 'nothing')).toBe('nothing');
});

describe("the verifier's options", () => {
  const source = { broker: { url: 'http://localhost:9292', token: 'tok' }, provider: 'pos', publish: false };

  test('take the main branch and what is deployed where nothing is selected', () => {
    expect(brokerSource(source)).toEqual({
      provider: 'pos',
      pactBrokerUrl: 'http://localhost:9292',
      pactBrokerToken: 'tok',
      consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }],
      enablePending: false,
    });
  });

  test('hold a version only where results are recorded, since pact-core may record them unasked', () => {
    const given = { ...source, providerVersion: '10', providerBranch: 'main', buildUrl: 'https://ci.example.com/8' };
    expect(brokerSource(given)).not.toHaveProperty('providerVersion');
    // pact-core demands a version where it is there, even false.
    expect(brokerSource(given)).not.toHaveProperty('publishVerificationResult');
    expect(brokerSource({ ...given, publish: true })).toMatchObject({
      ...{ publishVerificationResult: true, providerVersion: '10', providerVersionBranch: 'main', enablePending: true },
      buildUrl: 'https://ci.example.com/8',
    });
  });

  test.each([
    [{ publish: true }, 'give its version'],
    [{ includeWipSince: '31/01/2026', providerBranch: 'main' }, "'31/01/2026' is no date"],
    [{ includeWipSince: '2026-02-30', providerBranch: 'main' }, "'2026-02-30' is no date"],
    [{ includeWipSince: '2026-01-31' }, 'Work in progress is found by'],
    [{ selectors: [{ matchingBranch: true }] }, 'matching is found by'],
  ])('%j is refused', (more, message) => {
    expect(() => brokerSource({ ...source, ...more })).toThrow(message);
  });
});
