import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';

interface SideDrawerProps {
  title: string;
  opened: boolean;
  close(): void;
  /** False while the drawer shows something that must be copied first. */
  closeOnClickOutside?: boolean;
  children: ReactNode;
}

/** A drawer at the right side of the page, for a form or the progress of an action. */
export function SideDrawer({ close, ...props }: SideDrawerProps) {
  return <Drawer {...props} onClose={close} position="right" size="lg" closeButtonProps={{ 'aria-label': 'Close' }} />;
}
