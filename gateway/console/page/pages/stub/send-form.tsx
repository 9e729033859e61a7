import { useState } from 'react';
import { useChange } from '../../lib/use-change.ts';
import { Form } from '../../parts/resource/form.tsx';
import type { Field, Values } from '../../parts/resource/resource.ts';

interface SendFormProps<O> {
  /** What its button does, and the form's name. */
  label: string;
  more?: string;
  fields: readonly Field[];
  run(values: Values): Promise<O>;
  done(result: O): string;
  sent?(result: O): void;
  /** Set to empty the fields after success. */
  empties?: boolean;
}

/** A form on the page itself. Refusals are shown at their fields, and results are announced. */
export function SendForm<O>({ label, more, fields, run, done, sent, empties }: SendFormProps<O>) {
  const [times, setTimes] = useState(0);
  const { mutate, isPending, error } = useChange<Values, O>({ run, done, showsRefusal: true });
  const send = (values: Values) =>
    mutate(values, {
      onSuccess(result) {
        sent?.(result);
        if (empties) setTimes((before) => before + 1);
      },
    });
  return (
    <Form key={times} name={label} label={label} more={more} fields={fields} pending={isPending} error={error} send={send} />
  );
}
