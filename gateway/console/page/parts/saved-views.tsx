import { Button, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { answer, api, dataOf, fieldErrorOf, type paths } from '../lib/api.ts';
import { type FilterValues, linkTo } from '../lib/filters.ts';
import { type ListName, savedFilters } from '../lib/listed.ts';
import { useMayChange } from '../lib/may-change.ts';
import { useChange } from '../lib/use-change.ts';
import { text } from '../texts/index.ts';
import { IconBookmark, IconPencil, IconPlus, IconTrash } from './icons/tabler.ts';
import { Failure } from './problem.tsx';
import { SubmitForm } from './submit-form.tsx';

const texts = text.views;

type View = paths['/views']['get']['responses'][200]['content']['application/json']['data'][number];

const maxShown = 100;

const textOf = (filters: FilterValues) => JSON.stringify(Object.entries(filters).sort());

/** The saved views of a list, which all operators share. The one that is open can be renamed and deleted. */
export function SavedViews({ list, values }: { list: ListName; values: FilterValues }) {
  const mayChange = useMayChange();
  const [dialog, setDialog] = useState<'save' | 'rename' | 'delete' | null>(null);
  const views = useQuery({
    queryKey: ['views', list],
    queryFn: () => dataOf(api.GET('/views', { params: { query: { list, limit: maxShown } } })),
    staleTime: 10_000,
  });
  const filters = savedFilters(list, values);
  const current = views.data?.find((view) => textOf(view.filters) === textOf(filters));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<IconBookmark size={14} aria-hidden />} maw={240}>
            {current?.name ?? texts.label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw={320}>
          <Menu.Label>{texts.shared}</Menu.Label>
          {views.data?.map((view) => (
            <Menu.Item key={view.id} component={Link} href={linkTo(`/${list}`, view.filters)}>
              <Text size="sm" className="break-anywhere">
                <bdi>{view.name}</bdi>
              </Text>
              {view.unknown_filters.length > 0 && (
                <Text size="xs" className="ink-red">
                  {texts.hasUnknown(view.unknown_filters.join(', '))}
                </Text>
              )}
            </Menu.Item>
          ))}
          {views.data?.length === 0 && (
            <Text size="xs" c="dimmed" px="sm" pb="xs">
              {texts.none}
            </Text>
          )}
          {mayChange && isFiltered && (
            <>
              <Menu.Divider />
              {!current && (
                <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setDialog('save')}>
                  {texts.save}
                </Menu.Item>
              )}
              {current && (
                <>
                  <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setDialog('rename')}>
                    {texts.rename}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => setDialog('delete')}>
                    {texts.delete}
                  </Menu.Item>
                </>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        key={`${dialog} ${current?.id}`}
        opened={dialog === 'save' || dialog === 'rename'}
        list={list}
        filters={filters}
        view={dialog === 'rename' ? current : undefined}
        close={() => setDialog(null)}
      />
      {current && <DeleteDialog opened={dialog === 'delete'} view={current} close={() => setDialog(null)} />}
    </>
  );
}

interface NameDialogProps {
  opened: boolean;
  list: ListName;
  filters: FilterValues;
  /** The view to rename. Left out, a new one is saved. */
  view: View | undefined;
  close(): void;
}

function NameDialog({ opened, list, filters, view, close }: NameDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const save = useChange({
    run: async () => {
      const path = view && { params: { path: { id: view.id } }, body: { name } };
      return answer(path ? api.PATCH('/views/{id}', path) : api.POST('/views', { body: { list, name, filters } }));
    },
    done: texts.saved,
    showsRefusal: true,
  });
  const problem = fieldErrorOf(save.error, 'name');
  return (
    <Modal opened={opened} onClose={close} title={view ? texts.renameTitle : texts.save}>
      <SubmitForm submit={() => save.mutate(undefined, { onSuccess: close })}>
        <Stack gap="sm">
          <TextInput
            label={texts.name}
            data-autofocus
            required
            maxLength={60}
            value={name}
            error={problem}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {save.error && problem === undefined && <Failure error={save.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {text.parts.save}
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Modal>
  );
}

function DeleteDialog({ opened, view, close }: { opened: boolean; view: View; close(): void }) {
  const remove = useChange({
    run: async () => answer(api.DELETE('/views/{id}', { params: { path: { id: view.id } } })),
    done: texts.deleted,
  });
  return (
    <Modal opened={opened} onClose={close} title={texts.deleteTitle}>
      <Stack gap="sm">
        <Text size="sm" className="break-anywhere">
          <bdi>{view.name}</bdi>
        </Text>
        <Text size="sm">{texts.deleteEffects}</Text>
        <Group justify="flex-end">
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined, { onSuccess: close })}>
            {text.parts.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
