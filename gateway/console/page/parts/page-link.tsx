import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link to another page of this console. */
export const PageLink = ({ size = 'sm', ...props }: AnchorProps & { href: string; children: ReactNode; title?: string }) => (
  <Anchor component={Link} size={size} {...props} />
);
