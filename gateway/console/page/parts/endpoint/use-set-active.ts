import { api, dataOf } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';

/** Enables or pauses an endpoint. Enabling also ends a hold. */
export const useSetActive = (id: string) =>
  useChange({
    run: (active: boolean) => dataOf(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: { active } })),
    done: ({ active }) => (active ? text.endpointParts.enabled : text.endpointParts.pause.done),
  });
