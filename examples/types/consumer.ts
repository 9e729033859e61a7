/** Uses the package as a partner's program does, so that the compiler checks its public types. */
import { type ReceivedHeaders, type Stub, startStub, type Verification, verifySignature } from 'passerelle';
import { type CohesionClient, cohesionClient } from 'passerelle/clients/cohesion';
import { type PosClient, posClient } from 'passerelle/clients/pos';
import { verifySignature as alone } from 'passerelle/receiver';

const headers: ReceivedHeaders = { 'x-service-signature': 'sha256=00' };
const verdict: Verification = verifySignature('{}', headers, 'whsec_c2VjcmV0');
export const reason: string = verdict.valid ? verdict.scheme : verdict.reason;
export const same: Verification = alone(new Uint8Array(), new Headers(), ['one', 'two'], { toleranceSeconds: 60 });
// @ts-expect-error a parsed body no longer has the signed bytes
verifySignature({ event: 'sale.completed' }, headers, 'secret');

const pos: PosClient = posClient({ baseUrl: 'http://localhost:4010', token: 'token' });
export const total = async (): Promise<number | undefined> => {
  const { data } = await pos.GET('/api/v1/inventory', { params: { query: { store_id: 'STORE-ABJ-01' } } });
  return data?.data.items.length;
};

const cohesion: CohesionClient = cohesionClient({ baseUrl: 'http://localhost:4020', token: 'token' });
// @ts-expect-error an amount is a number
export const wrong = () => cohesion.PUT('/api/v1/financements/{id}', { params: { path: { id: 1 } }, body: { montant: '1' } });

const stub: Stub<'cohesion'> = await startStub('cohesion', { seed: 'demo', faults: ['listIndicators:delay=1s'] });
export const token: string = stub.credentials.token;
export const statuses: number[] = stub.calls({ operation: 'readMe' }).map(({ status }) => status);
// @ts-expect-error the point of sale needs a key and a secret
(await startStub('pos')).credentials.token;
// @ts-expect-error only pos and cohesion exist
await startStub('insurance');
