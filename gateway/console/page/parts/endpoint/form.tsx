import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { eventServices, serviceNames } from '../../lib/services.ts';
import { text } from '../../texts/shared.ts';
import {
  type CommonFields,
  DescriptionField,
  EndpointFormFrame,
  type EndpointFormProps,
  EventsField,
  type FieldProps,
  OrderedField,
  PerimeterField,
  UrlField,
} from './form-fields.tsx';

const texts = text.parts.endpointForm;

/** The settings of an endpoint that an operator chooses, as the API names them. */
export type EndpointFields = CommonFields &
  Pick<Endpoint, 'service' | 'max_in_flight' | 'max_per_second'> & { owner?: string | undefined };

const defaults: EndpointFields = {
  service: serviceNames[0],
  url: '',
  description: '',
  events: null,
  perimeter: null,
  max_in_flight: null,
  max_per_second: null,
  ordered: false,
};

/** Chooses the owner of a new endpoint, from which its service follows. */
export type OwnerField = (field: {
  choose(owner: { id: string; service: Endpoint['service'] } | null): void;
  error: ReactNode;
}) => ReactNode;

interface OperatorFormProps extends EndpointFormProps<EndpointFields> {
  /** Left out if the owner is not chosen here. */
  ownerField?: OwnerField | undefined;
}

export function EndpointForm({ ownerField, ...props }: OperatorFormProps) {
  return (
    <EndpointFormFrame {...props} defaults={defaults}>
      {(field) => (
        <>
          {ownerField?.({
            choose: (owner) =>
              field.set({ owner: owner?.id, ...(owner && { service: owner.service, events: null, perimeter: null }) }),
            error: field.errorOf('owner'),
          })}
          {!props.endpoint && <ServiceField {...field} />}
          <UrlField {...field} help={texts.urlHelp} />
          <DescriptionField {...field} label={texts.description} help={texts.descriptionHelp} />
          <SubscriptionFields {...field} />
          <PaceFields {...field} />
          <OrderedField {...field} />
        </>
      )}
    </EndpointFormFrame>
  );
}

type PartProps = FieldProps<EndpointFields>;

function ServiceField({ fields, set, errorOf }: PartProps) {
  return (
    <NativeSelect
      label={texts.service}
      description={fields.owner === undefined ? texts.serviceHelp : texts.serviceOfOwner}
      disabled={fields.owner !== undefined}
      value={fields.service}
      onChange={(event) => set({ service: event.currentTarget.value as Endpoint['service'], events: null, perimeter: null })}
      data={eventServices.map((value) => ({
        value,
        label: text.parts.serviceChoice(value, text.parts.services[value].about),
      }))}
      error={errorOf('service')}
    />
  );
}

function SubscriptionFields(field: PartProps) {
  const { service } = field.fields;
  const types = useEventTypes(service);
  return (
    <>
      <EventsField {...field} label={texts.eventTypes} help={texts.eventTypesHelp} types={types} />
      {service !== 'operator' && (
        <PerimeterField {...field} label={text.parts.services[service].subjects} help={texts.perimeterHelp} />
      )}
    </>
  );
}

const nullIfEmpty = (typed: number | string) => (typeof typed === 'number' ? typed : null);

function PaceFields({ fields: { max_in_flight, max_per_second }, set, errorOf }: PartProps) {
  return (
    <Group grow align="flex-start">
      <NumberInput
        label={texts.inFlight}
        description={texts.inFlightHelp}
        value={max_in_flight ?? ''}
        onChange={(typed) => set({ max_in_flight: nullIfEmpty(typed) })}
        allowDecimal={false}
        error={errorOf('max_in_flight')}
      />
      <NumberInput
        label={texts.perSecond}
        description={texts.perSecondHelp}
        value={max_per_second ?? ''}
        onChange={(typed) => set({ max_per_second: nullIfEmpty(typed) })}
        error={errorOf('max_per_second')}
      />
    </Group>
  );
}
