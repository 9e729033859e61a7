import { Button, Group, ScrollArea } from '@mantine/core';
import { Link } from 'wouter';

interface TabsProps {
  label: string;
  tabs: readonly { href: string; title: string }[];
  /** The one that is shown. */
  at: string;
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, tabs, at }: TabsProps) {
  return (
    <ScrollArea type="auto" offsetScrollbars="x">
      <Group component="nav" gap={4} wrap="nowrap" aria-label={label}>
        {tabs.map(({ href, title }) => (
          <Button
            key={href}
            component={Link}
            href={href}
            size="xs"
            variant={href === at ? 'light' : 'subtle'}
            color={href === at ? 'cyan' : 'gray'}
            aria-current={href === at ? 'page' : undefined}
            flex="none"
            ref={(tab: HTMLElement | null) => {
              if (href === at) tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            }}
          >
            {title}
          </Button>
        ))}
      </Group>
    </ScrollArea>
  );
}
