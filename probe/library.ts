import { serviceNames } from '../contracts/documents/services.ts';
import {
  callback,
  either,
  type Fields,
  flag,
  instance,
  listOf,
  objectWith,
  oneOf,
  refuseWrong,
  required,
  text,
  textOrNumber,
  textOrObject,
  whole,
} from '../stubs/takes.ts';
import type { ProbeOptions, ProbeResult } from './types.ts';

export type { ProbeOptions, ProbeResult, ProbeRun } from './types.ts';

const api = oneOf(...serviceNames);
const optionFields: Fields<ProbeOptions> = {
  apis: required(either(api, listOf(api))),
  run: required(callback),
  only: listOf(text),
  observed: either(text, listOf(text)),
  jobs: whole(1, 999),
  seed: textOrNumber,
  timeoutMs: whole(1, 2 ** 31 - 1),
  data: textOrObject,
  assumptions: either(text, { ...flag, takes: 'false', accepts: (value) => value === false }),
  signal: instance('an AbortSignal', AbortSignal),
};

/**
 * Finds the choices of the gap register on which code depends: runs it against stubs in this process that answer under the other choices.
 * Rejects with `CouldNotRun` if an option cannot be used, or if a run without alternatives fails.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  refuseWrong(options, required(objectWith(optionFields)), 'probe: options', 'an option of probe');
  const { probeFunction } = await import('./function.ts');
  return probeFunction(options);
}
