import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callStub } from '../../lib/stub.ts';
import { Code, Headers } from '../../parts/code.tsx';
import { Loading } from '../../parts/loading.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Failure } from '../../parts/problem.tsx';
import { text } from '../../texts/index.ts';

const words = text.stub.calls;
const { request: ofRequest, response: ofResponse } = text.call;

interface Pair {
  name: string;
  value: string;
}

interface Entry {
  request: { headers: Pair[]; postData?: { text: string } };
  response: { headers: Pair[]; content: { text?: string } };
}

async function read(id: string): Promise<{ entry: Entry | undefined; curl: string }> {
  const [archive, curl] = await Promise.all([callStub(`/calls/har?id=${id}`), callStub(`/calls/curl?id=${id}`)]);
  const { log } = (await archive.json()) as { log: { entries: Entry[] } };
  return { entry: log.entries[0], curl: await curl.text() };
}

/** What a call sent and got, without secrets. The stub also has the bodies of calls that a fault ended before they were read. */
export function CallDetails({ id, isAnswered }: { id: string; isAnswered: boolean }) {
  const { data, error } = useQuery({ queryKey: ['stub call', id], queryFn: () => read(id) });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { entry, curl } = data;
  if (!entry) return <Text size="sm">{words.gone}</Text>;
  const { request, response } = entry;
  return (
    <Stack>
      {isAnswered && <PageLink href={`/calls/${id}`}>{words.more}</PageLink>}
      <Code title={text.call.copyCurl} text={curl.trim()} />
      <Headers title={ofRequest.headers} of={byName(request.headers)} />
      {request.postData && <Code title={ofRequest.body} text={request.postData.text} />}
      {isAnswered ? <Headers title={ofResponse.headers} of={byName(response.headers)} /> : <Text size="sm">{words.cut}</Text>}
      {response.content.text && <Code title={ofResponse.body} text={response.content.text} />}
    </Stack>
  );
}

const byName = (headers: readonly Pair[]) =>
  Object.fromEntries(
    [...Map.groupBy(headers, ({ name }) => name)].map(([name, pairs]) => [name, pairs.map(({ value }) => value)]),
  );
