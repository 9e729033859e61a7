import { useDisclosure } from '@mantine/hooks';
import { answer, api } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Confirmation } from '../confirm.tsx';
import type { Delivery } from './delivery.ts';

const says = text.delivery.skip;

/** Ends a delivery that blocks those behind it, after a confirmation. */
export function Skip({ delivery: { id, blocking } }: { delivery: Delivery }) {
  const [opened, { open, close }] = useDisclosure();
  const skip = useChange({
    run: () => answer(api.POST('/deliveries/{id}/skip', { params: { path: { id } } })),
    done: says.done,
  });
  if (!blocking) return null;
  return (
    <>
      <ChangeButton onClick={open} loading={skip.isPending}>
        {says.label}
      </ChangeButton>
      <Confirmation
        opened={opened}
        close={close}
        title={says.title}
        consequences={says.consequences}
        label={says.confirm}
        confirm={() => skip.mutate()}
      />
    </>
  );
}
