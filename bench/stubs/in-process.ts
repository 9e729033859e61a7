/** Starts a stub as a test suite does. Arguments: the port, and the entry of the published package. */
const [, , port, built = ''] = process.argv;
const { startStub } = (await import(built)) as typeof import('../../index.ts');

await startStub('pos', { port: Number(port) });
