import { Button, Menu } from '@mantine/core';
import type { FilterValues } from '../lib/filters.ts';
import { exports, exportUrl, type ListName, queryOf } from '../lib/listed.ts';
import { text } from '../texts/shared.ts';
import { IconDownload } from './icons/tabler.ts';
import { Total } from './total.tsx';

/** Exports all rows of the filtered list, and says how many before. */
export function ExportMenu({ list, values }: { list: ListName; values: FilterValues }) {
  const query = queryOf(list, values, Date.now());
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {text.parts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Total list={list} values={values} />
        </Menu.Label>
        {exports[list].map(([path, format, label]) => (
          <Menu.Item key={label} component="a" href={exportUrl(path, format, query)} download>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
