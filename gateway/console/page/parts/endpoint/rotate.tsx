import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf, fieldErrors } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ServerText } from '../server-text.tsx';
import { SubmitForm } from '../submit-form.tsx';
import type { DrawerProps } from './drawers.tsx';
import { isRotating, SecretTable } from './secrets.tsx';
import { SigningSecret } from './signing-secret.tsx';

/** Creates a new signing secret. Closing the dialog while it shows the secret asks whether the secret was copied. */
export function RotationDialog({ endpoint, opened, close }: DrawerProps & { endpoint: Endpoint }) {
  const { id } = endpoint;
  const [isLeaving, setLeaving] = useState(false);
  const [hours, setHours] = useState<number | string>(24);
  const rotation = useChange({
    run: (overlap_hours: number) =>
      dataOf(api.POST('/endpoints/{id}/rotate-secret', { params: { path: { id } }, body: { overlap_hours } })),
    showsRefusal: true,
  });
  const refusal = fieldErrors(rotation.error).overlap_hours ?? rotation.error?.message;
  const closeDialog = () => {
    close();
    setLeaving(false);
    rotation.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => (rotation.data || rotation.isPending ? setLeaving(true) : closeDialog())}
      title={text.endpointParts.rotate.title}
      size="lg"
      closeButtonProps={{ 'aria-label': text.endpointParts.rotate.close }}
    >
      {rotation.data ? (
        <Stack>
          {isLeaving && <Leaving stay={() => setLeaving(false)} leave={closeDialog} />}
          <SigningSecret secret={rotation.data.secret} note={<NextSteps rotated={rotation.data} />} />
          <Group justify="flex-end">
            <Button onClick={closeDialog}>{text.endpointParts.rotate.copied}</Button>
          </Group>
        </Stack>
      ) : (
        <SubmitForm submit={() => rotation.mutate(Number(hours))}>
          <Stack>
            <Text size="sm">{text.endpointParts.rotate.overlap}</Text>
            <NumberInput
              label={text.endpointParts.rotate.hours.label}
              description={text.endpointParts.rotate.hours.description}
              value={hours}
              onChange={setHours}
              allowDecimal={false}
              error={refusal && <ServerText>{refusal}</ServerText>}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={closeDialog}>
                {text.endpointParts.rotate.cancel}
              </Button>
              <Button type="submit" loading={rotation.isPending}>
                {text.endpointParts.rotate.create}
              </Button>
            </Group>
          </Stack>
        </SubmitForm>
      )}
    </Modal>
  );
}

const Leaving = ({ stay, leave }: { stay(): void; leave(): void }) => (
  <Alert color="red" title={text.endpointParts.rotate.leaving.title} role="alertdialog">
    <Text size="sm" mb="xs">
      {text.endpointParts.rotate.leaving.why}
    </Text>
    <Group gap="xs">
      <Button size="xs" onClick={stay} data-autofocus>
        {text.endpointParts.rotate.leaving.stay}
      </Button>
      <Button size="xs" variant="default" onClick={leave}>
        {text.endpointParts.rotate.leaving.leave}
      </Button>
    </Group>
  </Alert>
);

const NextSteps = ({ rotated }: { rotated: Pick<Endpoint, 'secrets'> }) => (
  <Stack gap="xs">
    <Text size="sm">{isRotating(rotated) ? text.endpointParts.rotate.next : text.endpointParts.rotate.nextAtOnce}</Text>
    <SecretTable secrets={rotated.secrets} />
  </Stack>
);
