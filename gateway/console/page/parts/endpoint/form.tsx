import { Button, Group, MultiSelect, NativeSelect, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldErrorOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { eventServices, serviceNames, services } from '../../lib/services.ts';
import { Failure } from '../problem.tsx';

/** The settings of an endpoint, as the API names them. */
export type EndpointFields = Pick<
  Endpoint,
  'service' | 'url' | 'description' | 'events' | 'perimeter' | 'max_in_flight' | 'max_per_second' | 'ordered'
>;

const aboutOf = (service: Endpoint['service']) => (service === 'operator' ? 'events about endpoints' : services[service].about);

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

interface EndpointFormProps {
  /** Left out for a new endpoint. */
  endpoint?: EndpointFields | undefined;
  submit(fields: EndpointFields): void;
  submitLabel: string;
  pending: boolean;
  error: Error | null;
}

export function EndpointForm({ endpoint, submit, submitLabel, pending, error }: EndpointFormProps) {
  const [fields, setFields] = useState<EndpointFields>(endpoint ?? defaults);
  const set = (changed: Partial<EndpointFields>) => setFields((before) => ({ ...before, ...changed }));
  const errorOf = (name: string) => fieldErrorOf(error, name);
  const isShownAtField = Object.keys(fields).some((name) => errorOf(name));
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(fields);
      }}
    >
      <Stack>
        {error && !isShownAtField && <Failure error={error} />}
        {!endpoint && (
          <NativeSelect
            label="Service"
            description="The service whose events it receives. It cannot be changed later."
            value={fields.service}
            onChange={(event) =>
              set({ service: event.currentTarget.value as Endpoint['service'], events: null, perimeter: null })
            }
            data={eventServices.map((value) => ({ value, label: `${value}: ${aboutOf(value)}` }))}
            error={errorOf('service')}
          />
        )}
        <TextInput
          label="URL"
          description="An https URL with a public address."
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          required
          data-autofocus
          value={fields.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
          error={errorOf('url')}
        />
        <TextInput
          label="Description"
          placeholder="Who owns it and what it is for"
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={errorOf('description')}
        />
        <SubscriptionFields fields={fields} set={set} errorOf={errorOf} />
        <PaceFields fields={fields} set={set} errorOf={errorOf} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface PartProps {
  fields: EndpointFields;
  set(changed: Partial<EndpointFields>): void;
  errorOf(name: string): string | undefined;
}

const nullIfNone = (chosen: string[]) => (chosen.length === 0 ? null : chosen);

function SubscriptionFields({ fields: { service, events, perimeter }, set, errorOf }: PartProps) {
  const types = useEventTypes(service);
  return (
    <>
      <MultiSelect
        label="Event types"
        description="None: all events of the service, including future ones."
        placeholder={events ? '' : 'all'}
        data={types.map(({ type }) => type)}
        value={events ?? []}
        onChange={(chosen) => set({ events: nullIfNone(chosen) })}
        searchable
        clearable
        hidePickedOptions
        error={errorOf('events')}
      />
      {service !== 'operator' && (
        <TagsInput
          label={services[service].subjects}
          description="Press Enter after each id. None: all."
          placeholder={perimeter ? '' : 'all'}
          value={perimeter ?? []}
          onChange={(ids) => set({ perimeter: nullIfNone(ids) })}
          splitChars={[',', ' ']}
          clearable
          error={errorOf('perimeter')}
        />
      )}
    </>
  );
}

const nullIfEmpty = (typed: number | string) => (typeof typed === 'number' ? typed : null);

function PaceFields({ fields: { max_in_flight, max_per_second, ordered }, set, errorOf }: PartProps) {
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label="Concurrent attempts"
          description="Empty: the default."
          value={max_in_flight ?? ''}
          onChange={(typed) => set({ max_in_flight: nullIfEmpty(typed) })}
          allowDecimal={false}
          error={errorOf('max_in_flight')}
        />
        <NumberInput
          label="Attempts per second"
          description="Empty: no limit."
          value={max_per_second ?? ''}
          onChange={(typed) => set({ max_per_second: nullIfEmpty(typed) })}
          error={errorOf('max_per_second')}
        />
      </Group>
      <Switch
        label="In order"
        description="Sends one delivery at a time. A failed one blocks those behind it while it is retried."
        checked={ordered}
        onChange={(event) => set({ ordered: event.currentTarget.checked })}
      />
    </>
  );
}
