import { PageLink } from '../../parts/page-link.tsx';
import './catalogue.css';
import { Accordion, Anchor, Badge, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type EventType, useCatalogue } from '../../lib/event-types.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { Code } from '../../parts/code.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';
import { fieldsOf, type SchemaField } from './schema-fields.ts';

/** Every event type: its meaning, fields and an example. The open one is in the address. */
export function Catalogue() {
  const [{ type: opened }, change] = useFilters();
  const catalogue = useCatalogue();
  if (!catalogue.data)
    return catalogue.error ? <Failure error={catalogue.error} retry={catalogue.refetch} /> : <Loading lines={8} />;
  return (
    <Stack gap="lg">
      {[...Map.groupBy(catalogue.data, ({ service }) => service)].map(([service, types]) => (
        <section key={service} aria-label={text.events.catalogue.services[service]}>
          <Title order={2} size="h5" mb="xs">
            {text.events.catalogue.services[service]}
          </Title>
          <Accordion
            variant="separated"
            order={3}
            value={opened ?? null}
            onChange={(type) => change({ type: type ?? undefined })}
          >
            {types.map((type) => (
              <Accordion.Item key={type.type} value={type.type}>
                <Accordion.Control>
                  <Text size="sm" fw={600} className="mono">
                    {type.type}
                  </Text>
                  <Hint>{type.summary}</Hint>
                </Accordion.Control>
                <Accordion.Panel>{opened === type.type && <Details of={type} />}</Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </section>
      ))}
    </Stack>
  );
}

const Details = ({ of: { type, schema, example, gaps } }: { of: EventType }) => (
  <Stack gap="md">
    <Group gap="md">
      <PageLink href={linkTo('/events', { type })}>{text.events.catalogue.events}</PageLink>
      <PageLink href={linkTo('/deliveries', { event_type: type })}>{text.events.catalogue.deliveries}</PageLink>
    </Group>
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Fields fields={fieldsOf(schema)} />
      <Code title={text.events.catalogue.example} text={JSON.stringify(example, null, 2)} />
    </SimpleGrid>
    {gaps.length > 0 && (
      <Group gap="xs">
        <Text size="sm">{text.events.catalogue.gaps}</Text>
        {gaps.map((gap) => (
          <Anchor key={gap} href={`/docs/gaps#${gap}`} size="sm">
            {gap}
          </Anchor>
        ))}
      </Group>
    )}
  </Stack>
);

const Fields = ({ fields }: { fields: readonly SchemaField[] }) => (
  <table className="fields" aria-label={text.events.catalogue.fields}>
    <thead>
      <tr>
        {Object.values(text.events.catalogue.columns).map((title) => (
          <th key={title} scope="col" className="fields-head">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {fields.map(({ path, name, depth, type, optional, description }) => (
        <tr key={path}>
          <td className="fields-cell mono" style={{ paddingLeft: depth * 16 }}>
            {name}
            {optional && (
              <Badge size="xs" color="gray" ml={6}>
                {text.events.catalogue.optional}
              </Badge>
            )}
          </td>
          <td className="fields-cell">{type}</td>
          <td className="fields-cell">
            <ServerText>{description}</ServerText>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
