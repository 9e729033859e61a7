/** A program that starts a stub as a test suite does, by the package as it is published. The port is its argument. */
const built = '../../dist/index.js';
const { startStub } = (await import(built)) as typeof import('../../index.ts');

await startStub('pos', { port: Number(process.argv[2]) });
