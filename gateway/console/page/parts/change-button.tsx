import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePermission } from '../lib/may-change.ts';
import { text } from '../texts/shared.ts';

interface ChangeButtonProps extends ButtonProps {
  /** Left out for a button that opens a menu: `Menu.Target` sets it. */
  onClick?(): void;
  children: ReactNode;
  /** What it does, where there are many. */
  'aria-label'?: string;
}

/** A button that changes something. For those who may not, it is disabled and says why, or it is left out. */
export function ChangeButton({ onClick, children, disabled, ...props }: ChangeButtonProps) {
  const permission = usePermission();
  const mayChange = permission === 'may change';
  if (permission === 'buttons left out') return null;
  const button = (
    <Button size="xs" variant="default" {...props} disabled={!mayChange || Boolean(disabled)} onClick={onClick}>
      {children}
    </Button>
  );
  if (mayChange) return button;
  return (
    <Tooltip label={text.parts.viewersCannotChange}>
      <span>{button}</span>
    </Tooltip>
  );
}
