import type { ServiceName } from '../../spec/documents/services.ts';
import type { Stub } from '../types.ts';

/** Starts a stub of each API, uses them, and closes them whatever happens. */
export async function withStubs<T>(
  apis: readonly ServiceName[],
  start: (api: ServiceName) => Promise<Stub<ServiceName>>,
  use: (stubs: readonly Stub<ServiceName>[]) => Promise<T>,
): Promise<T> {
  const stubs: Stub<ServiceName>[] = [];
  try {
    for (const api of apis) stubs.push(await start(api));
    return await use(stubs);
  } finally {
    await Promise.all(stubs.map((stub) => stub.close()));
  }
}
