import { Button, Group, ScrollArea } from '@mantine/core';
import { Link } from 'wouter';

interface TabsProps {
  label: string;
  tabs: readonly { href: string; title: string }[];
  /** The `href` of the open tab. */
  current: string;
}

/** Tabs within a page. Each has its own address. */
export const Tabs = ({ label, tabs, current }: TabsProps) => (
  <ScrollArea type="auto" offsetScrollbars="x">
    <Group component="nav" gap={4} wrap="nowrap" aria-label={label}>
      {tabs.map(({ href, title }) => (
        <Button
          key={href}
          component={Link}
          href={href}
          size="xs"
          variant={href === current ? 'light' : 'subtle'}
          color="gray"
          aria-current={href === current ? 'page' : undefined}
          flex="none"
          ref={(tab: HTMLElement | null) => {
            if (href === current) tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          }}
        >
          {title}
        </Button>
      ))}
    </Group>
  </ScrollArea>
);
