import { objectWith, refuseWrong, required } from '../stubs/takes.ts';
import { optionFields, type ProbeOptions, type ProbeResult } from './options.ts';

export type { ProbeOptions, ProbeResult, ProbeRun } from './options.ts';

/**
 * Finds the choices of the gap register on which code depends: runs it against stubs in this process that answer under the other choices.
 * Rejects with `CouldNotRun` if an option cannot be used, or if a run without alternatives fails.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  refuseWrong(options, required(objectWith(optionFields)), 'probe: options', 'an option of probe');
  const { probeFunction } = await import('./function.ts');
  return probeFunction(options);
}
