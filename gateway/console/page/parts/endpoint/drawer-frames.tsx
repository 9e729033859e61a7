import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { SideDrawer } from '../side-drawer.tsx';
import type { CommonFields, EndpointFormProps } from './form-fields.tsx';
import { SigningSecret } from './signing-secret.tsx';

export interface DrawerProps {
  opened: boolean;
  close(): void;
}

interface WithForm<F extends CommonFields> extends DrawerProps {
  /** Renders the form. */
  form(props: EndpointFormProps<F>): ReactNode;
}

interface CreationProps<F extends CommonFields> extends WithForm<F> {
  texts: { title: string; create: string; created: string; copied: string };
  create(fields: F): Promise<{ id: string; secret: string }>;
  /** The page that follows. */
  hrefOf(id: string): string;
}

/** Creates an endpoint, then shows its signing secret. */
export function CreationDrawer<F extends CommonFields>({ opened, close, texts, create, hrefOf, form }: CreationProps<F>) {
  const [created, setCreated] = useState<{ id: string; secret: string } | null>(null);
  const [, navigate] = useLocation();
  const creation = useChange({ run: create, showsRefusal: true });
  const closeDrawer = () => {
    close();
    setCreated(null);
    creation.reset();
  };
  return (
    <SideDrawer
      title={created ? texts.created : texts.title}
      opened={opened}
      close={closeDrawer}
      closeOnClickOutside={created === null}
    >
      {created ? (
        <Stack>
          <SigningSecret secret={created.secret} />
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

interface ChangeProps<F extends CommonFields> extends WithForm<F> {
  texts: { edit: string; changed: string };
  /** What it is before the change. */
  endpoint: F;
  save(fields: F): Promise<unknown>;
}

/** Changes an endpoint. */
export function ChangeDrawer<F extends CommonFields>({ opened, close, texts, endpoint, save, form }: ChangeProps<F>) {
  const change = useChange({ run: save, done: texts.changed, showsRefusal: true });
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
