import type { ServiceName } from '../../../contracts/documents/services.ts';
import type { KnownValues } from '../../../contracts/openapi/example.ts';
import { filled } from '../../../contracts/openapi/filled.ts';
import { openApi } from '../../../contracts/openapi/operations.ts';
import { withGapNotes } from './gap-notes.ts';

/** The document that the reference page shows to a partner: with requests made of the partner's own values. */
export const ownReference = (api: ServiceName, known: KnownValues): unknown => withGapNotes(filled(openApi[api], known));
