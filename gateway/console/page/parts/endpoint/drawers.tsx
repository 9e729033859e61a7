import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { answer, api, dataOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useFilters } from '../../lib/filters.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { SideDrawer } from '../side-drawer.tsx';
import type { EndpointFields, EndpointFormProps } from './form.tsx';
import { SigningSecret } from './signing-secret.tsx';

const texts = text.parts.endpointForm;

export interface DrawerProps {
  opened: boolean;
  close(): void;
}

interface WithForm {
  /** Renders the viewer's form. */
  form(props: EndpointFormProps): ReactNode;
}

interface NewEndpointProps extends WithForm {
  /** The page that follows. */
  hrefOf(id: string): string;
}

/** Creates an endpoint, then shows its signing secret. The address says that it is open (`new=1`). */
export function NewEndpointDrawer({ hrefOf, form }: NewEndpointProps) {
  const [values, changeAddress] = useFilters();
  const [created, setCreated] = useState<{ id: string; secret: string; same_url: string[] } | null>(null);
  const [, navigate] = useLocation();
  const creation = useChange({
    // The form of an operator has a service. A partner has one only.
    run: (body: EndpointFields) => dataOf(api.POST('/endpoints', { body: body as Required<EndpointFields> })),
    showsRefusal: true,
  });
  const closeDrawer = () => {
    changeAddress({ new: undefined });
    setCreated(null);
    creation.reset();
  };
  return (
    <SideDrawer
      title={created ? texts.created : texts.new}
      opened={values.new === '1'}
      close={closeDrawer}
      closeOnClickOutside={created === null}
    >
      {created ? (
        <Stack>
          <SigningSecret secret={created.secret} />
          {created.same_url.length > 0 && <Text size="sm">{texts.sameUrl(created.same_url.join(', '))}</Text>}
          <Group justify="flex-end">
            <Button
              onClick={() => {
                closeDrawer();
                navigate(hrefOf(created.id));
              }}
            >
              {texts.copied}
            </Button>
          </Group>
        </Stack>
      ) : (
        form({
          submit: (fields) => creation.mutate(fields, { onSuccess: setCreated }),
          submitLabel: texts.create,
          pending: creation.isPending,
          error: creation.error,
        })
      )}
    </SideDrawer>
  );
}

export function EditDrawer({ opened, close, endpoint, form }: WithForm & DrawerProps & { endpoint: Endpoint }) {
  const { id } = endpoint;
  const change = useChange({
    // The service cannot be changed.
    run: ({ service: _, ...body }: EndpointFields) => answer(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body })),
    done: texts.changed,
    showsRefusal: true,
  });
  return (
    <SideDrawer
      title={texts.edit}
      opened={opened}
      close={() => {
        close();
        change.reset();
      }}
    >
      {form({
        endpoint,
        submit: (fields) => change.mutate(fields, { onSuccess: close }),
        submitLabel: text.parts.save,
        pending: change.isPending,
        error: change.error,
      })}
    </SideDrawer>
  );
}
