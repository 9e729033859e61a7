import { Alert, Anchor, Badge, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { type Operation, useDocument } from '../../lib/documents.ts';
import { linkTo, useFilters } from '../../lib/filters.ts';
import { apiNames, serviceNames } from '../../lib/services.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Failure } from '../../parts/problem.tsx';
import { ServerText } from '../../parts/server-text.tsx';
import { text } from '../../texts/index.ts';

const words = text.contracts.documents;

const [firstName] = serviceNames;
const methodColours: Record<string, string> = { GET: 'gray', POST: 'accent', PUT: 'accent', PATCH: 'accent', DELETE: 'red' };

/** The operations of each OpenAPI document by tag, with links to their calls. */
export function Documents() {
  const [{ document: named, q = '' }, change] = useFilters();
  const name = apiNames.find((one) => one === named) ?? firstName;
  const document = useDocument(name);
  const operations = document.data?.operations.filter((operation) => matches(operation, q)) ?? [];
  return (
    <Stack gap="sm">
      <Alert title={words.title}>
        <Text size="sm">{words.about(<DocsLink path="/docs" shown="/docs" />, files)}</Text>
      </Alert>
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          size="xs"
          aria-label={words.label}
          value={name}
          onChange={(value) => change({ document: value === firstName ? undefined : value })}
          data={apiNames.map((value) => ({ value, label: words.names[value] }))}
        />
        <FilterBar
          filters={[{ name: 'q', label: words.filter, kind: 'search', placeholder: words.filterExample }]}
          values={q === '' ? {} : { q }}
          change={change}
        />
      </Group>
      {document.error && <Failure error={document.error} retry={document.refetch} />}
      {document.isPending && <Loading />}
      {document.data && (
        <Text size="sm" c="dimmed" role="status">
          {(q === '' ? words.all : words.found)(
            <ServerText>{document.data.title}</ServerText>,
            document.data.version,
            operations.length,
          )}
        </Text>
      )}
      {[...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, own]) => (
        <section key={tag} aria-label={tag}>
          <Title order={2} size="h5" mb={4} lang="en">
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

const DocsLink = ({ path, shown }: { path: string; shown: string }) => (
  <Anchor href={path} size="sm" underline="always">
    {shown}
  </Anchor>
);

const files = apiNames.map((name) => (
  <span key={name}>
    <DocsLink path={`/docs/${name}.json`} shown={`${name}.json`} />{' '}
  </span>
));

const matches = ({ id, path, summary, tag }: Operation, q: string) =>
  [id, path, summary, tag].some((field) => field.toLowerCase().includes(q.toLowerCase()));

function Line({ operation: { id, method, path, summary, webhook } }: { operation: Operation }) {
  const href = webhook ? linkTo('/events', { type: path }) : linkTo('/calls', { operation: id });
  return (
    <Group gap="xs" className="line">
      <Badge w={88} color={methodColours[method] ?? 'gray'}>
        {webhook ? words.event : method}
      </Badge>
      <Text size="sm" className="mono break-anywhere">
        {path}
      </Text>
      <Text size="sm" c="dimmed" flex={1} miw={180} lang="en">
        {summary}
      </Text>
      <PageLink href={href} aria-label={webhook ? words.eventsOf(id || path) : words.callsOf(id || path)}>
        {webhook ? words.events : words.calls}
      </PageLink>
    </Group>
  );
}
