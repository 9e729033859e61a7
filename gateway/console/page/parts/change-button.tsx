import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMayChange } from '../lib/session.ts';

interface ChangeButtonProps extends ButtonProps {
  onClick(): void;
  children: ReactNode;
}

/** A button that changes something. For a viewer it is disabled and says why. */
export function ChangeButton({ onClick, children, disabled, ...props }: ChangeButtonProps) {
  const mayChange = useMayChange();
  const button = (
    <Button size="xs" variant="default" {...props} disabled={!mayChange || Boolean(disabled)} onClick={onClick}>
      {children}
    </Button>
  );
  if (mayChange) return button;
  return (
    <Tooltip label="Viewers cannot change anything. Ask an operator.">
      <span>{button}</span>
    </Tooltip>
  );
}
