import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A remark beside the matter itself, in small, dimmed text. */
export const Hint = ({ size = 'sm', children }: { size?: 'xs' | 'sm'; children: ReactNode }) => (
  <Text size={size} c="dimmed">
    {children}
  </Text>
);
