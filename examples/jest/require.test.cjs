// From CommonJS, with the same NODE_OPTIONS, on Node 24.9 or newer.
const { startStub } = require('passerelle');

test('a stub is to be had by require, too', async () => {
  const stub = await startStub('pos');
  expect((await fetch(`${stub.url}/api/v1/inventory`)).status).toBe(401);
  await stub.close();
});
