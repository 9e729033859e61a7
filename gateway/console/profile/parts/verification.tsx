import { Alert, Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { titleOfReason } from '../../page/lib/reasons.ts';
import { duration } from '../../page/lib/time.ts';
import { useChange } from '../../page/lib/use-change.ts';
import { ChangeButton } from '../../page/parts/change-button.tsx';
import { Code } from '../../page/parts/code.tsx';
import { DiagnosisResult } from '../../page/parts/delivery/diagnosis.tsx';
import { IconCircleCheck } from '../../page/parts/icons/tabler.ts';
import { PageLink } from '../../page/parts/page-link.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { HttpStatus } from '../../page/parts/status.tsx';
import { dataOf, type paths, profile } from '../lib/api.ts';
import { type Endpoint, isUnverified } from '../lib/endpoints.ts';
import { text } from '../texts/index.ts';

const texts = text.webhooks.verify;

type Result = paths['/endpoints/{id}/verify']['post']['responses'][200]['content']['application/json']['data'];

/** Verifies an endpoint with a signed test event, and shows what came of it. Nothing for a verified endpoint. */
export function Verification({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint;
  const verification = useChange({
    run: () => dataOf(profile.POST('/endpoints/{id}/verify', { params: { path: { id } }, body: {} })),
    showsRefusal: true,
  });
  const result = verification.data;
  if (result?.verified)
    return (
      <Alert color="teal" icon={<IconCircleCheck size={18} />} title={texts.done} role="status">
        <Outcome result={result} />
      </Alert>
    );
  if (!isUnverified(endpoint)) return null;
  return (
    <Stack gap="sm">
      <Alert color="yellow" title={texts.title}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{texts.why}</Text>
          <ChangeButton variant="filled" loading={verification.isPending} onClick={() => verification.mutate()}>
            {result ? texts.again : texts.button}
          </ChangeButton>
        </Stack>
      </Alert>
      <div role="status">
        {verification.isPending ? (
          <Group gap="xs">
            <Loader size="xs" />
            <Text size="sm">{texts.waiting}</Text>
          </Group>
        ) : (
          result && (
            <Alert color="red" title={texts.failed}>
              <Outcome result={result} />
            </Alert>
          )
        )}
      </div>
      {verification.error && <Failure error={verification.error} />}
    </Stack>
  );
}

/** The attempt of the test event and, if it failed, the doctor's diagnosis of it. */
function Outcome({ result: { verified, attempt, diagnosis, delivery_id } }: { result: Result }) {
  const delivery = `/deliveries/${encodeURIComponent(delivery_id)}`;
  return (
    <Stack gap="xs">
      {attempt && (
        <Group gap="xs">
          <HttpStatus status={attempt.response_status} />
          {attempt.timings.total !== undefined && <Text size="sm">{duration(attempt.timings.total)}</Text>}
        </Group>
      )}
      {!verified && (
        <Text size="sm" className="break-anywhere">
          {wordsOn(attempt, `${delivery}?compare=1`)}
        </Text>
      )}
      {!verified && attempt?.response_body && <Code title={texts.response} text={attempt.response_body} />}
      {/* That what was sent is well signed is no reason for the failure. */}
      {diagnosis && !diagnosis.genuine && <DiagnosisResult of={diagnosis} />}
      <PageLink href={delivery}>{texts.delivery}</PageLink>
    </Stack>
  );
}

/** Why the receiver's answer verified nothing, and what to do. `compare` is the page that finds out why a signature is refused. */
function wordsOn(attempt: Result['attempt'], compare: string): ReactNode {
  if (!attempt) return texts.noAttempt;
  const { outcome, response_status: status } = attempt;
  if (outcome === 'gone') return texts.gone;
  if (outcome === 'redirect') return texts.redirect(status ?? 0);
  if (outcome !== 'status') return texts.unreached(titleOfReason(outcome, status));
  const link = (
    <Anchor component={Link} href={compare} inherit underline="always">
      {text.delivery.compare.open}
    </Anchor>
  );
  return texts.refused(status ?? 0, link);
}
