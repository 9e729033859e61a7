import { Button, Group, MultiSelect, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { fieldErrorOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { Failure } from '../problem.tsx';

/** The settings that operators and owners have in common, as the API names them. */
export type CommonFields = Pick<Endpoint, 'url' | 'description' | 'events' | 'perimeter' | 'ordered'>;

export interface EndpointFormProps<F extends CommonFields> {
  /** Left out for a new endpoint. */
  endpoint?: F | undefined;
  submit(fields: F): void;
  submitLabel: string;
  pending: boolean;
  error: Error | null;
}

/** What a form's fields need: their values, how to change them, and what the API said of each. */
export interface FieldProps<F extends CommonFields> {
  fields: F;
  set(changed: Partial<F>): void;
  errorOf(name: string): ReactNode;
}

interface FormProps<F extends CommonFields> extends EndpointFormProps<F> {
  defaults: F;
  children(props: FieldProps<F>): ReactNode;
}

/** The form of an endpoint. An error that no field shows is shown above them. */
export function EndpointFormFrame<F extends CommonFields>(props: FormProps<F>) {
  const { endpoint, defaults, submit, submitLabel, pending, error, children } = props;
  const [fields, setFields] = useState<F>(endpoint ?? defaults);
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
        {children({ fields, set: (changed) => setFields((before) => ({ ...before, ...changed })), errorOf })}
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type CommonProps = FieldProps<CommonFields>;

export function UrlField({ fields, set, errorOf, help }: CommonProps & { help: string }) {
  return (
    <TextInput
      label={text.parts.endpointForm.url}
      description={help}
      placeholder="https://example.com/webhooks"
      type="url"
      inputMode="url"
      required
      data-autofocus
      value={fields.url}
      onChange={(event) => set({ url: event.currentTarget.value })}
      error={errorOf('url')}
    />
  );
}

export function DescriptionField({ fields, set, errorOf, label, help }: CommonProps & { label: string; help: string }) {
  return (
    <TextInput
      label={label}
      placeholder={help}
      value={fields.description}
      onChange={(event) => set({ description: event.currentTarget.value })}
      error={errorOf('description')}
    />
  );
}

const nullIfNone = (chosen: string[]) => (chosen.length === 0 ? null : chosen);

interface ChoiceProps extends CommonProps {
  label: string;
  help: string;
}

export function EventsField({ fields, set, errorOf, label, help, types }: ChoiceProps & { types: readonly { type: string }[] }) {
  return (
    <MultiSelect
      label={label}
      description={help}
      placeholder={fields.events ? '' : text.parts.all}
      data={types.map(({ type }) => type)}
      value={fields.events ?? []}
      onChange={(chosen) => set({ events: nullIfNone(chosen) })}
      searchable
      clearable
      hidePickedOptions
      error={errorOf('events')}
    />
  );
}

export function PerimeterField({ fields, set, errorOf, label, help }: ChoiceProps) {
  return (
    <TagsInput
      label={label}
      description={help}
      placeholder={fields.perimeter ? '' : text.parts.all}
      value={fields.perimeter ?? []}
      onChange={(ids) => set({ perimeter: nullIfNone(ids) })}
      splitChars={[',', ' ']}
      clearable
      error={errorOf('perimeter')}
    />
  );
}

export function OrderedField({ fields, set }: CommonProps) {
  return (
    <Switch
      label={text.parts.endpointForm.ordered}
      description={text.parts.endpointForm.orderedHelp}
      checked={fields.ordered}
      onChange={(event) => set({ ordered: event.currentTarget.checked })}
    />
  );
}
