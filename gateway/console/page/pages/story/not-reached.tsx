import { Alert, Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useNotReached } from '../../lib/why.ts';
import { text } from '../../texts/index.ts';
import type { Story } from './entries.ts';

type Delivery = Story['deliveries'][number];

const maxShown = 3;
const canRetry: ReadonlySet<string> = new Set(['held', 'probing', 'retry', 'failed', 'endpoint_disabled', 'in_turn']);

/** What has not arrived, and why: one sentence for each endpoint. The rows below have all of them. */
export function NotReached({ what, deliveries }: { what: string; deliveries: readonly Delivery[] }) {
  const say = useNotReached();
  const missing = new Map(deliveries.filter(({ cause }) => cause).map((one) => [one.endpoint_id, one]));
  if (missing.size === 0) return null;
  return (
    <Alert color="yellow" role="status">
      {[...missing.values()].slice(0, maxShown).map(({ endpoint_id, cause }) => (
        <div key={endpoint_id} className="break-anywhere">
          {cause && say(what, cause)}{' '}
          {cause && canRetry.has(cause.case) && (
            <Anchor component={Link} size="sm" href={`/endpoints/${encodeURIComponent(endpoint_id)}?retry=1`}>
              {text.overview.retryNow}
            </Anchor>
          )}
        </div>
      ))}
    </Alert>
  );
}
