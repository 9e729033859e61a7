import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { answer, api, fieldErrors } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { SigningSecret } from '../../parts/endpoint/signing-secret.tsx';
import { SecretTable, unconfirmedOf } from './secrets.tsx';

/** Creates a new signing secret. Closing the dialog while it shows the secret asks whether the secret was copied. */
export function RotateButton({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint;
  const [opened, { open, close }] = useDisclosure();
  const [isLeaving, setLeaving] = useState(false);
  const [hours, setHours] = useState<number | string>(24);
  const rotation = useChange({
    run: async (overlap_hours: number) =>
      (await answer(api.POST('/endpoints/{id}/rotate-secret', { params: { path: { id } }, body: { overlap_hours } }))).data,
    showsRefusal: true,
  });
  const closeDialog = () => {
    close();
    setLeaving(false);
    rotation.reset();
  };
  return (
    <>
      <ChangeButton leftSection={<IconKey size={15} aria-hidden />} onClick={open}>
        Rotate secret
      </ChangeButton>
      <Modal
        opened={opened}
        onClose={() => (rotation.data || rotation.isPending ? setLeaving(true) : closeDialog())}
        title="Rotate the signing secret"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {rotation.data ? (
          <Stack>
            {isLeaving && <Leaving stay={() => setLeaving(false)} leave={closeDialog} />}
            <SigningSecret secret={rotation.data.secret} note={<NextSteps rotated={rotation.data} />} />
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
                During the overlap both secrets sign webhook-signature. X-SERVICE-Signature has room for one signature: it keeps
                the old secret until you confirm the new one. If nobody confirms it, it changes to the new secret when the overlap
                ends; a notice says so before.
              </Text>
              {unconfirmedOf(endpoint) && (
                <Alert color="yellow" title="A rotation is under way">
                  Its new secret is not confirmed. If you rotate again, only the newest secret can be confirmed, and the old one
                  gets a new end.
                </Alert>
              )}
              <NumberInput
                label="Old secret keeps signing for (hours)"
                description="0 to 168. Use 0 if it leaked: then the new secret signs every header at once."
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

function Leaving({ stay, leave }: { stay(): void; leave(): void }) {
  return (
    <Alert color="red" title="Have you copied the secret?" role="alertdialog">
      <Text size="sm" mb="xs">
        It is not shown again. Without it the receiver will reject deliveries.
      </Text>
      <Group gap="xs">
        <Button size="xs" onClick={stay} data-autofocus>
          Show it
        </Button>
        <Button size="xs" variant="default" onClick={leave}>
          Yes, close
        </Button>
      </Group>
    </Alert>
  );
}

function NextSteps({ rotated }: { rotated: Pick<Endpoint, 'secrets'> }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {unconfirmedOf(rotated)
          ? 'Give the receiver this secret beside the old one. Then use “Test the new secret”: if the receiver accepts it, X-SERVICE-Signature changes over. Remove the old secret from the receiver when it has ended.'
          : 'The new secret signs every header from now on. The old one no longer signs anything.'}
      </Text>
      <SecretTable secrets={rotated.secrets} />
    </Stack>
  );
}
