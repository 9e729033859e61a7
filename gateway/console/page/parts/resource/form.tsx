import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldErrorOf } from '../../lib/api.ts';
import { zoneName } from '../../lib/time.ts';
import { useZone } from '../../lib/zone.ts';
import { text as catalogue } from '../../texts/shared.ts';
import { Failure } from '../problem.tsx';
import { SubmitForm } from '../submit-form.tsx';
import { type Inputs, initialInputs, requestBody } from './form-values.ts';
import type { Field, Values } from './resource.ts';

interface FormProps {
  fields: readonly Field[];
  label: string;
  /** What the form is for, where a page has several. */
  name?: string;
  /** The words that open the fields with `isMore`. */
  more?: string;
  pending: boolean;
  /** The API's refusal of the last request. */
  error: Error | null;
  send(values: Values): void;
}

/** A form made from fields. The API's message about a field is shown at that field. */
export function Form({ fields, label, name, more, pending, error, send }: FormProps) {
  const [inputs, setInputs] = useState<Inputs>(() => initialInputs(fields));
  const isWrong = ({ name: field }: Field) => fieldErrorOf(error, field) !== undefined;
  const isShownAtField = fields.some(isWrong);
  const inputOf = (field: Field) => (
    <Input
      key={field.name}
      field={field}
      value={inputs[field.name]}
      error={fieldErrorOf(error, field.name)}
      change={(value) => setInputs((before) => ({ ...before, [field.name]: value }))}
    />
  );
  const moreFields = fields.filter(({ isMore }) => isMore);
  return (
    <SubmitForm aria-label={name} submit={() => send(requestBody(fields, inputs))}>
      <Stack gap="sm">
        {fields.filter(({ isMore }) => !isMore).map(inputOf)}
        {moreFields.length > 0 && (
          <details open={moreFields.some(isWrong) || undefined}>
            <Text component="summary" size="sm">
              {more}
            </Text>
            <Stack gap="sm" mt="sm">
              {moreFields.map(inputOf)}
            </Stack>
          </details>
        )}
        {error && !isShownAtField && <Failure error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </SubmitForm>
  );
}

interface InputProps {
  field: Field;
  value: Inputs[string] | undefined;
  error: ReactNode;
  change(value: Inputs[string]): void;
}

const types: Partial<Record<Field['kind'], string>> = { number: 'number', date: 'date', instant: 'datetime-local' };

function Input({ field, value, error, change }: InputProps) {
  const { kind, help, placeholder, choices = [], labels = {}, optional } = field;
  const zone = useZone();
  const label = kind === 'instant' ? catalogue.parts.resource.inZone(field.label, zoneName(zone)) : field.label;
  const shared = { label, description: help, error, required: !optional };
  if (kind === 'flag')
    return (
      <Switch
        label={label}
        description={help}
        error={error}
        checked={value === true}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...shared}
        value={String(value)}
        onChange={(event) => change(event.currentTarget.value)}
        data={[
          ...(value === '' ? [{ value: '', label: catalogue.parts.resource.chooseOne }] : []),
          ...choices.map((choice) => ({ value: choice, label: labels[choice] ?? choice })),
        ]}
      />
    );
  if (kind === 'choices')
    return (
      <Checkbox.Group {...shared} value={value as string[]} onChange={change}>
        <Stack gap={6} mt={6}>
          {choices.map((choice) => (
            <Checkbox key={choice} value={choice} label={labels[choice] ?? choice} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  const text = {
    ...shared,
    placeholder: placeholder ?? '',
    value: String(value),
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  if (kind === 'secret') return <PasswordInput {...text} autoComplete="off" />;
  if (kind === 'lines' || kind === 'area') return <Textarea {...text} autosize minRows={3} maxRows={10} />;
  return <TextInput {...text} type={types[kind] ?? 'text'} {...(kind === 'number' ? { step: 'any' } : {})} />;
}
