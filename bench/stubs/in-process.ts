/** A program that starts a stub as a test suite does. The port is its argument. */
import { startStub } from '../../stubs/stub.ts';

await startStub('pos', { port: Number(process.argv[2]) });
