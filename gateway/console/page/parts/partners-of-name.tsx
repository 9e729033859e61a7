import { Text } from '@mantine/core';
import type { FilterValues } from '../lib/filters.ts';
import type { ListName } from '../lib/listed.ts';
import { type Partner, usePartners } from '../lib/partners.ts';
import { text } from '../texts/index.ts';

const says = text.partners.noMatch;

/** Whose name it is that a list without matching rows is filtered by. */
export function PartnersOfName({ list, values: { partner } }: { list: ListName; values: FilterValues }) {
  const found = usePartners(partner ?? '', partner !== undefined);
  if (partner === undefined || !found) return null;
  return (
    <Text size="sm" mb="xs" className="break-anywhere" component="div">
      {found.data.length === 0 ? (
        <>
          {says.nobody(partner)} {says.elsewhere[list]}
        </>
      ) : (
        <>
          {says.known(namesOf(found.data.slice(0, maxNamed)), found.more || found.data.length > maxNamed)}
          <Inactive of={found.data} />
        </>
      )}
    </Text>
  );
}

const maxNamed = 5;
const namesOf = (partners: readonly Partner[]) => partners.map(({ name }) => name).join(', ');

function Inactive({ of: partners }: { of: readonly Partner[] }) {
  const inactive = partners.filter(({ active }) => !active).slice(0, maxNamed);
  return inactive.length === 0 ? null : <> {says.inactive(namesOf(inactive))}</>;
}
