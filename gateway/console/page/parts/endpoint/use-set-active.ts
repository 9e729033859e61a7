import { answer, api } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';

/** Enables or pauses an endpoint. Enabling also ends a hold. */
export function useSetActive(id: string) {
  return useChange({
    run: async (active: boolean) =>
      (await answer(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: { active } }))).data,
    done: ({ active }) => (active ? text.endpointParts.enabled : text.endpointParts.pause.done),
  });
}
