import { Button, Group, MultiSelect, NativeSelect, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldErrorOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { labelled } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';
import { Failure } from '../problem.tsx';
import { SubmitForm } from '../submit-form.tsx';
import { type Credentials, CredentialsFields } from './credentials.tsx';
import { FilterField } from './filter.tsx';

const texts = text.parts.endpointForm;

/** The settings of an endpoint, as the API names them. Only operators choose the optional ones. */
export type EndpointFields = Pick<
  Endpoint,
  'url' | 'description' | 'events' | 'perimeter' | 'filter' | 'retry_for_hours' | 'ordered' | 'order_by' | 'on_dead_letter'
> &
  Partial<Pick<Endpoint, 'service' | 'max_in_flight' | 'max_per_second'>> & {
    owner?: string | undefined;
    credentials: Credentials | null;
  };

/** The values of a new endpoint in the fields that everybody has. */
export const defaults: EndpointFields = {
  url: '',
  description: '',
  events: null,
  perimeter: null,
  filter: null,
  credentials: null,
  retry_for_hours: null,
  ordered: false,
  order_by: 'endpoint',
  on_dead_letter: 'skip',
};

/** The rules of an order belong to ordered endpoints only. */
const unordered = { ordered: defaults.ordered, order_by: defaults.order_by, on_dead_letter: defaults.on_dead_letter };

export interface EndpointFormProps {
  /** Left out for a new endpoint. */
  endpoint?: Endpoint;
  submit(fields: EndpointFields): void;
  submitLabel: string;
  pending: boolean;
  error: Error | null;
}

/** What a form's fields need: their values, how to change them, and what the API said of each. */
export interface FieldProps {
  fields: EndpointFields;
  set(changed: Partial<EndpointFields>): void;
  errorOf(name: string): ReactNode;
}

interface FormProps extends EndpointFormProps {
  /** The fields of the form, with their values for a new endpoint. */
  defaults: EndpointFields;
  typesOf(fields: EndpointFields): readonly { type: string }[];
  /** What its events are about. Null if they are about nothing that can be chosen. */
  subjectsOf(fields: EndpointFields): string | null;
  /** Shown before the URL, below it, and before the last field. */
  before?(field: FieldProps): ReactNode;
  belowUrl?(field: FieldProps): ReactNode;
  pace?(field: FieldProps): ReactNode;
}

export const nullIfEmpty = (typed: number | string) => (typeof typed === 'number' ? typed : null);

const nullIfNone = (chosen: string[]) => (chosen.length === 0 ? null : chosen);

/** The form of an endpoint. An error that no field shows is shown above them. */
export function EndpointForm(props: FormProps) {
  const { endpoint, defaults, submit, submitLabel, pending, error, typesOf, subjectsOf, before, belowUrl, pace } = props;
  const [fields, setFields] = useState(endpoint ? fieldsOf(endpoint, defaults) : defaults);
  const set = (changed: Partial<EndpointFields>) => setFields((known) => ({ ...known, ...changed }));
  const errorOf = (name: string) => fieldErrorOf(error, name);
  const isShownAtField = Object.keys(fields).some((name) => errorOf(name));
  const field = { fields, set, errorOf };
  const subjects = subjectsOf(fields);
  return (
    <SubmitForm submit={() => submit(fields)}>
      <Stack>
        {error && !isShownAtField && <Failure error={error} />}
        {before?.(field)}
        <TextInput
          label={texts.url}
          description={texts.urlHelp}
          placeholder="https://example.com/webhooks"
          type="url"
          inputMode="url"
          required
          data-autofocus
          value={fields.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
          error={errorOf('url')}
        />
        {belowUrl?.(field)}
        <TextInput
          label={texts.description}
          placeholder={texts.descriptionHelp}
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={errorOf('description')}
        />
        <MultiSelect
          label={texts.eventTypes}
          description={texts.eventTypesHelp}
          placeholder={fields.events ? '' : text.parts.all}
          data={typesOf(fields).map(({ type }) => type)}
          value={fields.events ?? []}
          onChange={(chosen) => set({ events: nullIfNone(chosen) })}
          searchable
          clearable
          hidePickedOptions
          error={errorOf('events')}
        />
        {subjects !== null && (
          <TagsInput
            label={subjects}
            description={texts.perimeterHelp}
            placeholder={fields.perimeter ? '' : text.parts.all}
            value={fields.perimeter ?? []}
            onChange={(ids) => set({ perimeter: nullIfNone(ids) })}
            splitChars={[',', ' ']}
            clearable
            error={errorOf('perimeter')}
          />
        )}
        <FilterField wanted={wantedBy(fields, endpoint)} set={(filter) => set({ filter })} error={errorOf('filter')} />
        <CredentialsFields credentials={fields.credentials} set={(credentials) => set({ credentials })} errorOf={errorOf} />
        {pace?.(field)}
        <NumberInput
          label={texts.retryFor}
          description={texts.retryForHelp}
          value={fields.retry_for_hours ?? ''}
          onChange={(typed) => set({ retry_for_hours: nullIfEmpty(typed) })}
          allowDecimal={false}
          error={errorOf('retry_for_hours')}
        />
        <Switch
          label={texts.ordered}
          description={texts.orderedHelp}
          checked={fields.ordered}
          onChange={({ currentTarget: { checked } }) => set(checked ? { ordered: true } : unordered)}
        />
        {fields.ordered && (
          <>
            <NativeSelect
              label={texts.orderBy}
              description={texts.orderByHelp}
              value={fields.order_by}
              onChange={(event) => set({ order_by: event.currentTarget.value as Endpoint['order_by'] })}
              data={labelled(texts.orderings)}
              error={errorOf('order_by')}
            />
            <NativeSelect
              label={texts.onDeadLetter}
              description={texts.onDeadLetterHelp}
              value={fields.on_dead_letter}
              onChange={(event) => set({ on_dead_letter: event.currentTarget.value as Endpoint['on_dead_letter'] })}
              data={labelled(texts.deadLetterRules)}
              error={errorOf('on_dead_letter')}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}

function wantedBy({ service, owner, events, perimeter, filter }: EndpointFields, endpoint: Endpoint | undefined) {
  const ofOperator = { service, owner: owner ?? endpoint?.owner.id ?? undefined };
  return { events, perimeter, filter, ...(service !== undefined && ofOperator) };
}

/** The values that an endpoint has in the fields of a form, which TypeScript cannot see from a list of names. */
const fieldsOf = (endpoint: Endpoint, defaults: EndpointFields) =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, endpoint[name as keyof Endpoint]])) as unknown as EndpointFields;
