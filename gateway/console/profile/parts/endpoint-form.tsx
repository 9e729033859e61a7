import { Alert } from '@mantine/core';
import { defaults, EndpointForm, type EndpointFormProps } from '../../page/parts/endpoint/form.tsx';
import { useEventTypes } from '../lib/event-types.ts';
import { useSession } from '../lib/session.ts';
import { text } from '../texts/index.ts';

const texts = text.webhooks.form;

/** The form of a partner, who has one service and verifies each URL. */
export function PartnerForm(props: EndpointFormProps) {
  const types = useEventTypes();
  const { kind } = useSession();
  const { endpoint } = props;
  return (
    <EndpointForm
      {...props}
      defaults={defaults}
      typesOf={() => types}
      subjectsOf={() => texts.subjects[kind]}
      belowUrl={({ fields }) => endpoint && fields.url !== endpoint.url && <Alert color="yellow">{texts.changedUrl}</Alert>}
    />
  );
}
