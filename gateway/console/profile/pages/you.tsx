import { Badge, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../page/lib/format.ts';
import { Facts } from '../../page/parts/facts.tsx';
import { Frame } from '../../page/parts/frame.tsx';
import { Hint } from '../../page/parts/hint.tsx';
import { Loading } from '../../page/parts/loading.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { listed } from '../../page/parts/resource/cells.tsx';
import { Section } from '../../page/parts/section.tsx';
import { RelativeTime, Time } from '../../page/parts/time.tsx';
import { UseBar } from '../../page/parts/use-bar.tsx';
import { dataOf, type paths, profile } from '../lib/api.ts';
import { useSession } from '../lib/session.ts';
import { text } from '../texts/index.ts';

const texts = text.you;
type Use = paths['/use']['get']['responses'][200]['content']['application/json']['data'];

const refetchEveryMs = 5000;

/** Who is signed in and until when, and how much of the limits is used. */
export default function You() {
  return (
    <Frame title={texts.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Who />
        <UseOfLimits />
      </SimpleGrid>
    </Frame>
  );
}

function Who() {
  const { name, kind, owner, credential, expires_at: end } = useSession();
  const me = useQuery({ queryKey: ['me'], queryFn: () => dataOf(profile.GET('/me')) });
  return (
    <Section title={texts.who}>
      <Stack gap="sm">
        {me.isPending ? (
          <Loading lines={4} />
        ) : (
          <Facts
            of={[
              [texts.name, name],
              [texts.kind, texts.kinds[kind]],
              [
                texts.id,
                <span key="id" className="mono">
                  {owner}
                </span>,
              ],
              ...(me.data ? factsOf(me.data) : []),
              [texts.signedInWith, me.data?.token?.name ?? texts.credentials[credential]],
              [texts.sessionEnds, texts.atFraction(<Time at={end} />, <RelativeTime at={end} />)],
            ]}
          />
        )}
        {me.error && <Failure error={me.error} retry={me.refetch} />}
      </Stack>
    </Section>
  );
}

function factsOf({ account, user }: paths['/me']['get']['responses'][200]['content']['application/json']['data']) {
  if (account)
    return [
      [texts.plan, <Badge key="plan">{account.plan}</Badge>],
      [texts.stores, listed(account.store_ids)],
    ] as const;
  return user
    ? ([
        [texts.role, user.role],
        [texts.structures, listed(user.structure_ids, texts)],
      ] as const)
    : [];
}

function UseOfLimits() {
  const use = useQuery({
    queryKey: ['use'],
    queryFn: () => dataOf(profile.GET('/use', { params: { query: { period: 'day' } } })),
    refetchInterval: refetchEveryMs,
  });
  return (
    <Section title={texts.use.title}>
      {use.error ? <Failure error={use.error} retry={use.refetch} /> : use.data ? <Uses use={use.data} /> : <Loading />}
    </Section>
  );
}

function Uses({ use: { callers, days, plan_limit: plan } }: { use: Use }) {
  const used = callers.filter(({ limits }) => limits.length > 0);
  return (
    <Stack gap="sm">
      {plan && <Text size="sm">{texts.use.plan(plan.calls, plan.window_seconds)}</Text>}
      {used.length === 0 && <Hint>{callers.some(({ calls }) => calls > 0) ? texts.use.notLimited : texts.use.none}</Hint>}
      {used.map(({ caller, kind, name, limits }) => (
        <Stack key={caller} gap={4}>
          {kind === 'token' && <Text size="sm">{texts.use.caller(name ?? caller)}</Text>}
          {limits.map((limit) => (
            <UseBar key={limit.name} of={limit} />
          ))}
        </Stack>
      ))}
      <Days of={days} />
    </Stack>
  );
}

function Days({ of: days }: { of: Use['days'] }) {
  if (days.every(({ calls }) => calls === 0)) return <Hint>{texts.use.noCalls}</Hint>;
  return (
    <Table fz="sm" verticalSpacing={4} aria-label={texts.use.days}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.use.day}</Table.Th>
          <Table.Th>{texts.use.calls}</Table.Th>
          <Table.Th>{texts.use.refused}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.toReversed().map(({ day, calls, refused }) => (
          <Table.Tr key={day}>
            <Table.Td>{day}</Table.Td>
            <Table.Td>{count(calls)}</Table.Td>
            <Table.Td>{count(refused)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
