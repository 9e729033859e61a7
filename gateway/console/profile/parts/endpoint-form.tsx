import { Alert } from '@mantine/core';
import {
  type CommonFields,
  DescriptionField,
  EndpointFormFrame,
  type EndpointFormProps,
  EventsField,
  OrderedField,
  PerimeterField,
  UrlField,
} from '../../page/parts/endpoint/form-fields.tsx';
import { useEventTypes } from '../lib/event-types.ts';
import { useSession } from '../lib/session.ts';
import { text } from '../texts/index.ts';

const texts = text.webhooks.form;

const defaults: CommonFields = { url: '', description: '', events: null, perimeter: null, ordered: false };

export function EndpointForm(props: EndpointFormProps<CommonFields>) {
  const types = useEventTypes();
  const { kind } = useSession();
  const { endpoint } = props;
  return (
    <EndpointFormFrame {...props} defaults={defaults}>
      {(field) => (
        <>
          <UrlField {...field} help={texts.urlHelp} />
          {endpoint && field.fields.url !== endpoint.url && <Alert color="yellow">{texts.changedUrl}</Alert>}
          <DescriptionField {...field} label={texts.description} help={texts.descriptionHelp} />
          <EventsField {...field} label={texts.events} help={texts.eventsHelp} types={types} />
          <PerimeterField {...field} label={texts.subjects[kind]} help={texts.subjectsHelp} />
          <OrderedField {...field} />
        </>
      )}
    </EndpointFormFrame>
  );
}
