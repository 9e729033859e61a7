import { Alert, Button, Group, Text } from '@mantine/core';
import { type FilterValues, useFilters } from '../lib/filters.ts';
import { filterNames, type ListName } from '../lib/listed.ts';
import { type Partner, usePartners } from '../lib/partners.ts';
import { text } from '../texts/index.ts';
import { FilteredList, type FilteredListProps } from './filtered-list.tsx';

interface OperatorListProps<R extends { id: string }> extends FilteredListProps<R> {
  /** Parameters of the address that are no filters. */
  others?: readonly string[];
}

/** A list of the operator, who filters by partners' names. Its address may have filters that are not known. */
export function OperatorList<R extends { id: string }>({ others, ...props }: OperatorListProps<R>) {
  const { list, values } = props;
  const [, change] = useFilters();
  return (
    <>
      <UnknownFilters list={list} values={values} others={others} change={change} />
      <FilteredList live="off" {...props} aboutFilters={<PartnersOfName list={list} values={values} />} />
    </>
  );
}

const texts = text.parts.filters.unknown;

interface UnknownFiltersProps {
  list: ListName;
  values: FilterValues;
  /** Other parameters of the page's address. */
  others?: readonly string[];
  change(changed: Record<string, undefined>): void;
}

/** Says which filters in the address the list does not have: a link may be misspelt, or older than this version. */
function UnknownFilters({ list, values, others = [], change }: UnknownFiltersProps) {
  const known = [...filterNames(list), 'since', 'to', ...others];
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  return (
    <Alert color="yellow" title={texts.title} role="alert">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="break-anywhere">
          {texts.names(unknown.join(', '))}
        </Text>
        <Button size="xs" variant="default" onClick={() => change(Object.fromEntries(unknown.map((name) => [name, undefined])))}>
          {texts.remove}
        </Button>
      </Group>
    </Alert>
  );
}

const says = text.partners.noMatch;

/** Whose name it is that a list without matching rows is filtered by. */
function PartnersOfName({ list, values: { partner } }: { list: ListName; values: FilterValues }) {
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
