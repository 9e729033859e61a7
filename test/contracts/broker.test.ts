import { expect, test } from 'vitest';
import { parseSelectors } from '../../contracts/tools/broker/selectors.ts';
import { brokerSource } from '../../contracts/tools/broker/verifier-options.ts';
import { verify } from '../../contracts/tools/verification/run.ts';
import { passerelle } from '../program.ts';
import { startBroker } from './broker.ts';
import { v4 } from './pact-files.ts';

const password = 'correct horse';
const request = { method: 'POST', path: '/api/auth', headers: { 'Content-Type': ['application/json'] }, body: { content: {} } };
// A broker gives each interaction an id, which the verifier sends back with the result.
const pact = v4([
  { _id: '1', description: 'a refusal', request, response: { status: 400 } },
  { _id: '2', description: 'a token', request, response: { status: 200 } },
]);

test('verify --broker sends the selectors, records the results with version, branch and build, and prints the reasons', async () => {
  const broker = await startBroker(pact, password);
  const env = { PACT_BROKER_BASE_URL: broker.url, PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: password };
  const args = ['verify', '--provider', 'pos', '--selectors', 'main,environment:test', '--provider-version', '7'];
  const published = await passerelle([...args, '--publish', '--build-url', 'https://ci.example.com/8'], { env });
  expect(published).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ a token') });
  expect(published.stdout).toContain(`The pact at ${broker.url}/pact is being verified`);
  expect(broker.asked.consumerVersionSelectors).toEqual([{ mainBranch: true }, { environment: 'test' }]);
  const result = { providerApplicationVersion: '7', success: false, buildUrl: 'https://ci.example.com/8' };
  expect(broker.results).toMatchObject([{ ...result, testResults: [{ success: true }, { success: false }] }]);

  const pending = await passerelle([...args, '--publish', '--provider-branch', 'feat/x'], { env });
  expect(pending).toMatchObject({ code: 0, stdout: expect.stringContaining('1 verified, 0 failed, 1 pending') });
  expect(broker.asked).toMatchObject({ includePendingStatus: true, providerVersionBranch: 'feat/x' });
  expect(broker.marked).toEqual(['PUT /branches/feat%2Fx/versions/7']);

  const refused = await passerelle(args, { env: { ...env, PACT_BROKER_PASSWORD: 'wrong horse' } });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('401') });
  expect(refused.stderr).not.toContain('wrong horse');
});

test('the report says that results were not recorded, because the verifier reports a success', async () => {
  const broker = await startBroker(v4([{ description: 'a refusal', request, response: { status: 400 } }]), password);
  broker.readOnly = true;
  const from = brokerSource({
    broker: { url: broker.url, username: 'ci', password },
    provider: 'pos',
    selectors: parseSelectors('main'),
    publish: true,
    providerVersion: '7',
    providerBranch: 'main',
    includeWipSince: '2026-01-31',
  });
  const { verification } = await verify({ provider: 'pos', from });
  expect(verification.notices).toContainEqual(expect.stringContaining('403 Forbidden'));
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', source: 'broker' }]);
  expect(broker.asked.includeWipPactsSince).toBe('2026-01-31');
});
