import type { ServiceName } from '../../contracts/documents/services.ts';
import { changeWebhooks } from './harmless/webhooks.ts';
import type { Variants } from './types.ts';

const nothing = { hasNewEvents: false, hasDuplicates: false, isReordered: false, isLate: false };

/** Variants of what is around calls and webhooks, which are the same for both APIs. */
export const transportVariants = (api: ServiceName): Variants => ({
  [`${api}.event-order=twice`]: { work: (parts) => changeWebhooks(parts, { ...nothing, hasDuplicates: true }) },
});
