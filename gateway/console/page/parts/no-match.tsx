import { Text } from '@mantine/core';
import type { FilterValues } from '../lib/filters.ts';
import type { ListName } from '../lib/listed.ts';
import { type Partner, usePartners } from '../lib/partners.ts';
import { text } from '../texts/index.ts';
import { NothingMatches } from './empty.tsx';

const says = text.partners.noMatch;

interface NoMatchProps {
  list: ListName;
  /** The list's filters. */
  values: FilterValues;
  title: string;
  next: string;
}

/** A list that no row matches. Filtered by a partner's name, it says whose name that is. */
export function NoMatch({ list, values, title, next }: NoMatchProps) {
  const { partner } = values;
  const found = usePartners(partner ?? '', partner !== undefined);
  return (
    <NothingMatches title={title} filters={values}>
      {partner !== undefined && found && (
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
      )}
      {next}
    </NothingMatches>
  );
}

const maxNamed = 5;
const namesOf = (partners: readonly Partner[]) => partners.map(({ name }) => name).join(', ');

function Inactive({ of: partners }: { of: readonly Partner[] }) {
  const inactive = partners.filter(({ active }) => !active).slice(0, maxNamed);
  return inactive.length === 0 ? null : <> {says.inactive(namesOf(inactive))}</>;
}
