import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { answer, api, fieldErrors } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { SigningSecret } from '../../parts/endpoint/signing-secret.tsx';

/** Makes a new signing secret; the old one goes on signing as long as is said. */
export function RotateButton({ id }: { id: string }) {
  const [opened, { open, close }] = useDisclosure();
  const [hours, setHours] = useState<number | string>(24);
  const rotation = useChange({
    run: async (overlap_hours: number) =>
      (await answer(api.POST('/endpoints/{id}/rotate-secret', { params: { path: { id } }, body: { overlap_hours } }))).data,
    showsRefusal: true,
  });
  const leave = () => {
    close();
    rotation.reset();
  };
  return (
    <>
      <ChangeButton leftSection={<IconKey size={15} aria-hidden />} onClick={open}>
        Rotate secret
      </ChangeButton>
      <Modal
        opened={opened}
        onClose={leave}
        title="Rotate the signing secret"
        size="lg"
        closeOnClickOutside={!rotation.isSuccess}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {rotation.data ? (
          <Stack>
            <SigningSecret
              secret={rotation.data.secret}
              note={
                hours === 0
                  ? 'The old secret signs nothing any more.'
                  : `Give it to the receiver beside the old one, which goes on signing for ${hours} h; then take the old one out.`
              }
            />
            <Group justify="flex-end">
              <Button onClick={leave}>I have it</Button>
            </Group>
          </Stack>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              rotation.mutate(Number(hours));
            }}
          >
            <Stack>
              <Text size="sm">
                A new secret is made and signs from now on. The old one goes on signing for a while, so that the receiver can
                change over without losing anything.
              </Text>
              <NumberInput
                label="The old one goes on signing for (hours)"
                description="0 to 168; 0 if it leaked."
                value={hours}
                onChange={setHours}
                allowDecimal={false}
                error={fieldErrors(rotation.error).overlap_hours ?? rotation.error?.message}
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={leave}>
                  Leave it
                </Button>
                <Button type="submit" loading={rotation.isPending}>
                  Make a new secret
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
