// Uses Passerelle from CommonJS. Needs Node 24.9 or newer and the same NODE_OPTIONS.
const { startStub } = require('passerelle');

test('a stub is to be had by require, too', async () => {
  const stub = await startStub('pos');
  expect((await fetch(`${stub.url}/api/v1/inventory`)).status).toBe(401);
  await stub.close();
});
