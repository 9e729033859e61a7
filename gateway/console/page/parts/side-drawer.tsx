import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { text } from '../texts/shared.ts';

interface SideDrawerProps {
  title: string;
  opened: boolean;
  close(): void;
  /** False while the drawer shows something that must be copied first: the Escape key does not close it either. */
  closeOnClickOutside?: boolean;
  children: ReactNode;
}

/** A drawer at the right side of the page, for a form or the progress of an action. */
export function SideDrawer({ close, ...props }: SideDrawerProps) {
  const { closeOnClickOutside } = props;
  return (
    <Drawer
      {...props}
      closeOnEscape={closeOnClickOutside ?? true}
      onClose={close}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': text.parts.close }}
    />
  );
}
