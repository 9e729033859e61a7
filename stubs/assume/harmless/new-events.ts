import type { ServiceName } from '../../../spec/documents/services.ts';

/** Event types that no document shows. */
export const newEvents: Readonly<Record<ServiceName, string>> = { pos: 'catalogue.updated', cohesion: 'structure.updated' };
