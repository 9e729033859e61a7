import type { ServiceName } from '../../../spec/documents/services.ts';
import type { KnownValues } from '../../../spec/openapi/example.ts';
import { filled } from '../../../spec/openapi/filled.ts';
import { openApi } from '../../../spec/openapi/operations.ts';
import { withGapNotes } from './gap-notes.ts';

/** The document that the reference page shows to a partner: with requests made of the partner's own values. */
export const ownReference = (api: ServiceName, known: KnownValues): unknown => withGapNotes(filled(openApi[api], known));
