import { expect, onTestFinished, test } from 'vitest';
import { candidatesOf } from '../../probe/candidates.ts';
import { startExercised } from '../../probe/exercised.ts';
import { call } from '../stubs/partner.ts';

const write = ['POST', '/financements', {}] as const;
const update = ['PUT', '/financements/1', { statut: 'obtenu' }] as const;

type Calls = readonly (readonly [method: string, path: string, body?: object])[];

test.each([['cohesion.write-throttle-scope=per-method', [write, update], [write]]] as [string, Calls, Calls][])(
  '%s is exercised by %j, and not by %j',
  async (id, showing, others) => {
    const candidates = candidatesOf('cohesion').filter((one) => one.id === id);
    const exercised = new Map();
    const stub = await startExercised('cohesion', { clock: '2026-11-21T08:00:00Z' }, { candidates, exercised });
    onTestFinished(() => stub.close());
    const make = async (calls: Calls) => {
      for (const [method, path, body] of calls)
        await call(stub, method, `/api/v1${path}`, { token: stub.credentials.token, body });
      return [...exercised.keys()];
    };
    expect(await make(others)).toEqual([]);
    expect(await make(showing)).toEqual([id]);
  },
);
