import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { linkTo } from '../../page/lib/filters.ts';
import type { PageProps } from '../../page/lib/page-props.ts';
import { ActionsMenu } from '../../page/parts/endpoint/actions-menu.tsx';
import { EndpointPage, TestButton } from '../../page/parts/endpoint/page.tsx';
import { StateAlert } from '../../page/parts/endpoint/state-alert.tsx';
import { isUnverified, mayResume } from '../lib/endpoints.ts';
import { useEventTypes } from '../lib/event-types.ts';
import { owed } from '../lib/owed.ts';
import { PartnerForm } from '../parts/endpoint-form.tsx';
import { Samples } from '../parts/samples.tsx';
import { Verification } from '../parts/verification.tsx';
import { text } from '../texts/index.ts';

const texts = text.webhooks;

/** One endpoint: verify it, see its state, change it. */
export default function Endpoint({ params: { id = '' } }: PageProps) {
  return (
    <EndpointPage
      id={id}
      title={texts.columns.endpoint}
      list={texts.title}
      actions={(endpoint) => (
        <>
          <Button component={Link} href={linkTo('/deliveries', { endpoint_id: id })} size="xs" variant="default">
            {texts.deliveries}
          </Button>
          {endpoint.active && <TestButton endpoint={endpoint} />}
          <ActionsMenu endpoint={endpoint} form={(props) => <PartnerForm {...props} />} />
        </>
      )}
      notices={(endpoint) => (
        <>
          <Verification key={id} endpoint={endpoint} />
          {!isUnverified(endpoint) && <StateAlert endpoint={endpoint} mayResume={mayResume(endpoint)} />}
        </>
      )}
      below={(endpoint) => isUnverified(endpoint) && <Samples />}
      useTypes={useEventTypes}
      owed={owed}
    />
  );
}
