import { z } from 'zod';
import { serviceNames } from '../../../spec/documents/services.ts';
import { callback, objectOf, oneOf, refuseWrong, text, textOrObject, texts, whole } from '../../../stubs/takes.ts';
import type { ProbeOptions, ProbeResult } from './types.ts';

const api = oneOf(...serviceNames);
const optionFields = objectOf<ProbeOptions>('an option of probe', {
  apis: z.union([api, z.array(api)], `${serviceNames.join(' or ')}, or a list of these`),
  run: callback,
  only: texts.optional(),
  jobs: whole(1, 999).optional(),
  timeoutMs: whole(1, 2 ** 31 - 1).optional(),
  data: textOrObject.optional(),
  assumptions: z.union([text, z.literal(false)], 'text or false').optional(),
  signal: z.instanceof(AbortSignal, { error: 'an AbortSignal' }).optional(),
});

/**
 * Finds the choices of the gap register on which code depends: runs it against stubs in this process that answer under the other choices.
 * Rejects with `CouldNotRun` if an option cannot be used, or if a run without alternatives fails.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  refuseWrong(options, optionFields, 'probe: options');
  return (await import('./function.ts')).probeFunction(options);
}
