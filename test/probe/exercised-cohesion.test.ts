import { expect, onTestFinished, test } from 'vitest';
import { candidatesOf } from '../../probe/candidates.ts';
import { nothingSeen, watching } from '../../probe/watch.ts';
import { startWatchedStub } from '../../stubs/start.ts';
import { call } from '../stubs/partner.ts';

const write = ['POST', '/financements', {}] as const;
const read = ['GET', '/me'] as const;
const update = ['PUT', '/financements/1', { statut: 'obtenu' }] as const;

type Calls = readonly (readonly [method: string, path: string, body?: object])[];

test.each([
  ['cohesion.read-throttle=60-per-minute', [read], [write]],
  ['cohesion.write-throttle-scope=per-method', [write, update], [write]],
] as [string, Calls, Calls][])('%s is exercised by %j, and not by %j', async (id, showing, others) => {
  const own = candidatesOf('cohesion').filter((one) => one.id === id);
  const seen = nothingSeen();
  const stub = await startWatchedStub('cohesion', { clock: '2026-11-21T08:00:00Z' }, watching('cohesion', own, seen));
  onTestFinished(() => stub.close());
  const make = async (calls: Calls) => {
    for (const [method, path, body] of calls) await call(stub, method, `/api/v1${path}`, { token: stub.credentials.token, body });
    return [...seen.exercised.keys()];
  };
  expect(await make(others)).toEqual([]);
  expect(await make(showing)).toEqual([id]);
});
