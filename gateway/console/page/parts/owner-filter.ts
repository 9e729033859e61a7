import { useMemo } from 'react';
import { usePartnerName } from '../lib/partners.ts';
import { text } from '../texts/index.ts';
import type { Filter } from './filter-bar.tsx';

export const partnerFilter: Filter = { name: 'partner', kind: 'text', width: 150, ...text.partners.filter };

/** The filter by an owner whom the address names. There are too many owners to choose from: lists are searched by name. */
export function useOwnerFilter(owner: string | undefined): readonly Filter[] {
  const name = usePartnerName(owner);
  return useMemo(
    () =>
      owner === undefined
        ? []
        : [
            {
              name: 'owner',
              label: text.partners.owner.label,
              kind: 'choice',
              choices: [{ value: owner, label: name }],
              width: 170,
            },
          ],
    [owner, name],
  );
}
