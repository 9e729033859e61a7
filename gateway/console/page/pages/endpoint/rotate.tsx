import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { answer, api, fieldErrors } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { SigningSecret } from '../../parts/endpoint/signing-secret.tsx';

/** Creates a new signing secret. The old one keeps signing for the chosen number of hours. */
export function RotateButton({ id }: { id: string }) {
  const [opened, { open, close }] = useDisclosure();
  const [hours, setHours] = useState<number | string>(24);
  const rotation = useChange({
    run: async (overlap_hours: number) =>
      (await answer(api.POST('/endpoints/{id}/rotate-secret', { params: { path: { id } }, body: { overlap_hours } }))).data,
    showsRefusal: true,
  });
  const closeDialog = () => {
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
        onClose={closeDialog}
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
                  ? 'The old secret no longer signs anything.'
                  : `Add it to the receiver. The old secret keeps signing for ${hours} h; remove it from the receiver after that.`
              }
            />
            <Group justify="flex-end">
              <Button onClick={closeDialog}>I have copied it</Button>
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
                The new secret signs from now on. The old one also keeps signing for a while, so that the receiver can change over
                without losing deliveries.
              </Text>
              <NumberInput
                label="Old secret keeps signing for (hours)"
                description="0 to 168. Use 0 if it leaked."
                value={hours}
                onChange={setHours}
                allowDecimal={false}
                error={fieldErrors(rotation.error).overlap_hours ?? rotation.error?.message}
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={closeDialog}>
                  Cancel
                </Button>
                <Button type="submit" loading={rotation.isPending}>
                  Create new secret
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
