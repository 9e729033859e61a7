import { useLocation } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ConfirmButton } from '../confirm.tsx';

/** Deletes an endpoint after a confirmation, and goes back to the list. */
export function RemoveButton({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const removal = useChange({
    run: async () => (await answer(api.DELETE('/endpoints/{id}', { params: { path: { id } } }))).data,
    done: ({ skipped }) => text.endpointParts.remove.done(skipped),
  });
  return (
    <ConfirmButton
      label={text.endpointParts.remove.label}
      title={text.endpointParts.remove.title}
      consequences={text.endpointParts.remove.consequences}
      confirm={() => removal.mutate(undefined, { onSuccess: () => navigate('/endpoints') })}
      buttonProps={{ color: 'red', variant: 'light', loading: removal.isPending }}
    />
  );
}
