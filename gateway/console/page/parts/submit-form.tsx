import type { ComponentProps } from 'react';

/** A form that calls `submit` and does not leave the page. */
export const SubmitForm = ({ submit, ...form }: Omit<ComponentProps<'form'>, 'onSubmit'> & { submit(): void }) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      submit();
    }}
  />
);
