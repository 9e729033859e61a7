import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { text } from '../texts/shared.ts';
import { messageOf } from './api.ts';
import { sessionKey } from './queries.ts';

interface ChangeOptions<I, O> {
  run(input: I): Promise<O>;
  /** The notification after success. None if left out. */
  done?: string | ((result: O) => string);
  /** Set if the page itself shows a refusal, such as beside a form's fields. */
  showsRefusal?: boolean;
}

/** A change through the API. Afterwards everything on the page is read again and the result is announced. */
export function useChange<I = void, O = unknown>({ run, done, showsRefusal = false }: ChangeOptions<I, O>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (result: O) => {
      // Any list, page or figure may show the changed row.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
      const message = typeof done === 'function' ? done(result) : done;
      if (message) notifications.show({ color: 'teal', message });
    },
    onError: (error: Error) => {
      if (!showsRefusal)
        notifications.show({ color: 'red', title: text.parts.problem.failed, message: messageOf(error), autoClose: 10_000 });
    },
  });
}
