import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { eventServices, serviceNames } from '../../lib/services.ts';
import { text } from '../../texts/index.ts';
import { OwnerChoice } from '../owner-choice.tsx';
import { defaults, type EndpointFields, EndpointForm, type EndpointFormProps, type FieldProps, nullIfEmpty } from './form.tsx';

const texts = text.parts.endpointForm;

const operatorDefaults: EndpointFields = { ...defaults, service: serviceNames[0], max_in_flight: null, max_per_second: null };

/** The form of an operator, who chooses the owner and the service of a new endpoint. */
export function OperatorForm(props: EndpointFormProps) {
  const types = useEventTypes();
  return (
    <EndpointForm
      {...props}
      defaults={operatorDefaults}
      typesOf={({ service }) => types.filter((type) => type.service === service)}
      subjectsOf={({ service }) =>
        service === undefined || service === 'operator' ? null : text.parts.services[service].subjects
      }
      before={(field) => !props.endpoint && <OwnerFields {...field} />}
      pace={PaceFields}
    />
  );
}

const OwnerFields = ({ fields, set, errorOf }: FieldProps) => (
  <>
    <OwnerChoice
      choose={(owner) => set({ owner: owner?.id, ...(owner && { service: owner.service, events: null, perimeter: null }) })}
      error={errorOf('owner')}
    />
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
  </>
);

const PaceFields = ({ fields: { max_in_flight, max_per_second }, set, errorOf }: FieldProps) => (
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
