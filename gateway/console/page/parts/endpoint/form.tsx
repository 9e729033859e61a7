import { Button, Group, MultiSelect, NativeSelect, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useEventTypes } from '../../lib/event-types.ts';
import { Failure } from '../problem.tsx';

/** What an operator decides about an endpoint, as the API takes it. */
export type EndpointFields = Pick<
  Endpoint,
  'service' | 'url' | 'description' | 'events' | 'perimeter' | 'max_in_flight' | 'max_per_second' | 'ordered'
>;

const services: readonly { value: Endpoint['service']; label: string; places: string }[] = [
  { value: 'pos', label: 'pos: sales, payments, stock', places: 'Stores' },
  { value: 'cohesion', label: 'cohesion: social programmes', places: 'Structures' },
  { value: 'operator', label: 'operator: notices about endpoints', places: 'Places' },
];

const fresh: EndpointFields = {
  service: 'pos',
  url: '',
  description: '',
  events: null,
  perimeter: null,
  max_in_flight: null,
  max_per_second: null,
  ordered: false,
};

interface EndpointFormProps {
  /** Left out for a new one. */
  endpoint?: EndpointFields | undefined;
  submit(fields: EndpointFields): void;
  submitLabel: string;
  pending: boolean;
  error: Error | null;
}

export function EndpointForm({ endpoint, submit, submitLabel, pending, error }: EndpointFormProps) {
  const [fields, setFields] = useState<EndpointFields>(endpoint ?? fresh);
  const set = (changed: Partial<EndpointFields>) => setFields((before) => ({ ...before, ...changed }));
  const wrong = wrongOf(error);
  const named = Object.keys(fields).some((name) => wrong(name));
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(fields);
      }}
    >
      <Stack>
        {error && !named && <Failure error={error} />}
        {!endpoint && (
          <NativeSelect
            label="Service"
            description="Whose events it gets. It cannot be changed later."
            value={fields.service}
            onChange={(event) =>
              set({ service: event.currentTarget.value as Endpoint['service'], events: null, perimeter: null })
            }
            data={services.map(({ value, label }) => ({ value, label }))}
            error={wrong('service')}
          />
        )}
        <TextInput
          label="URL"
          description="https, at a public address."
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          required
          data-autofocus
          value={fields.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
          error={wrong('url')}
        />
        <TextInput
          label="Description"
          placeholder="Whose it is, and what for"
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={wrong('description')}
        />
        <Wanted fields={fields} set={set} wrong={wrong} />
        <Pace fields={fields} set={set} wrong={wrong} />
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
  wrong(name: string): string | undefined;
}

const nullIfNone = (chosen: string[]) => (chosen.length === 0 ? null : chosen);

function Wanted({ fields: { service, events, perimeter }, set, wrong }: PartProps) {
  const types = useEventTypes(service);
  const places = services.find(({ value }) => value === service)?.places ?? 'Places';
  return (
    <>
      <MultiSelect
        label="Event types"
        description="None chosen: every one of the service, also those to come."
        placeholder={events ? '' : 'all'}
        data={types.map(({ type }) => type)}
        value={events ?? []}
        onChange={(chosen) => set({ events: nullIfNone(chosen) })}
        searchable
        clearable
        hidePickedOptions
        error={wrong('events')}
      />
      {service !== 'operator' && (
        <TagsInput
          label={places}
          description="Ids, each with Enter. None: all of them."
          placeholder={perimeter ? '' : 'all'}
          value={perimeter ?? []}
          onChange={(ids) => set({ perimeter: nullIfNone(ids) })}
          splitChars={[',', ' ']}
          clearable
          error={wrong('perimeter')}
        />
      )}
    </>
  );
}

const nullIfEmpty = (typed: number | string) => (typeof typed === 'number' ? typed : null);

function Pace({ fields: { max_in_flight, max_per_second, ordered }, set, wrong }: PartProps) {
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label="Attempts at once"
          description="Empty: as in the settings."
          value={max_in_flight ?? ''}
          onChange={(typed) => set({ max_in_flight: nullIfEmpty(typed) })}
          allowDecimal={false}
          error={wrong('max_in_flight')}
        />
        <NumberInput
          label="Attempts a second"
          description="Empty: no limit."
          value={max_per_second ?? ''}
          onChange={(typed) => set({ max_per_second: nullIfEmpty(typed) })}
          error={wrong('max_per_second')}
        />
      </Group>
      <Switch
        label="In order"
        description="One delivery after another. One that fails holds up those behind it while it is tried again."
        checked={ordered}
        onChange={(event) => set({ ordered: event.currentTarget.checked })}
      />
    </>
  );
}

/** What the API says of a field, or of one of its elements (`events.3`). */
function wrongOf(error: Error | null): (name: string) => string | undefined {
  const all = Object.entries(fieldErrors(error));
  return (name) => all.find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
