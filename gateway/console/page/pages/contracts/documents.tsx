import { Alert, Anchor, Badge, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { type Operation, useDocument } from '../../lib/documents.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { plural } from '../../lib/format.ts';
import { type ApiName, apiNames, serviceNames, services } from '../../lib/services.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failure } from '../../parts/problem.tsx';

const [firstName] = serviceNames;
const titleOf = (name: ApiName) => (name === 'manage' ? 'Manage API' : services[name].title);
const methodColours: Record<string, string> = { GET: 'blue', POST: 'teal', PUT: 'orange', PATCH: 'orange', DELETE: 'red' };

/** The operations of each OpenAPI document by tag, with links to their calls. */
export function Documents() {
  const [{ document: named, q = '' }, change] = useFilters();
  const name = apiNames.find((one) => one === named) ?? firstName;
  const document = useDocument(name);
  const operations = document.data?.operations.filter((operation) => matches(operation, q)) ?? [];
  return (
    <Stack gap="sm">
      <Alert color="blue" variant="light" title="Read the documents and try the operations">
        <Text size="sm">
          <Anchor href="/docs" size="sm" underline="always">
            /docs
          </Anchor>{' '}
          shows all of them with their schemas and sends requests. For generators and tools:{' '}
          {apiNames.map((one) => (
            <span key={one}>
              <Anchor href={`/docs/${one}.json`} size="sm" underline="always">
                {one}.json
              </Anchor>{' '}
            </span>
          ))}
        </Text>
      </Alert>
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="Document"
          value={name}
          onChange={(value) => change({ document: value === firstName ? undefined : value })}
          data={apiNames.map((value) => ({ value, label: titleOf(value) }))}
        />
        <FilterBar
          filters={[{ name: 'q', label: 'Operation', kind: 'search', placeholder: 'sale, /stats … (/)' }]}
          values={q === '' ? {} : { q }}
          change={change}
        />
      </Group>
      {document.error && <Failure error={document.error} retry={document.refetch} />}
      {document.isPending && <Loading />}
      {document.data && (
        <Text size="sm" c="dimmed" role="status">
          {document.data.title}, version {document.data.version}: {plural(operations.length, 'operation')}
          {q === '' ? '' : ' found'}.
        </Text>
      )}
      {[...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, own]) => (
        <section key={tag} aria-label={tag}>
          <Title order={2} size="h5" mb={4}>
            {tag}
          </Title>
          <Stack gap={2}>
            {own.map((operation) => (
              <Line key={`${operation.method} ${operation.path}`} operation={operation} />
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

const matches = ({ id, path, summary, tag }: Operation, q: string) =>
  [id, path, summary, tag].some((text) => text.toLowerCase().includes(q.toLowerCase()));

function Line({ operation: { id, method, path, summary, webhook } }: { operation: Operation }) {
  const href = webhook ? linkTo('/events', { type: path }) : linkTo('/calls', { operation: id });
  return (
    <Group gap="xs" className="line">
      <Badge size="sm" w={64} variant="light" color={methodColours[method] ?? 'gray'}>
        {webhook ? 'event' : method}
      </Badge>
      <Text size="sm" className="mono break-anywhere">
        {path}
      </Text>
      <Text size="sm" c="dimmed" flex={1} miw={180}>
        {summary}
      </Text>
      <Anchor component={Link} href={href} size="sm" aria-label={`${webhook ? 'events' : 'calls'} of ${id || path}`}>
        {webhook ? 'events' : 'calls'}
      </Anchor>
    </Group>
  );
}
