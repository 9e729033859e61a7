/** A program that starts a stub as a test suite does. Its arguments: the port, and the package as it is published. */
const [, , port, built = ''] = process.argv;
const { startStub } = (await import(built)) as typeof import('../../index.ts');

await startStub('pos', { port: Number(port) });
