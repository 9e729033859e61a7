import { Button } from '@mantine/core';
import { IconTimeline } from '@tabler/icons-react';
import { Link } from 'wouter';
import { linkTo } from '../lib/filters.ts';

/** Opens the story that a call, an event or a delivery belongs to. */
export function StoryButton({ id }: { id: string }) {
  return (
    <Button
      component={Link}
      href={linkTo('/story', { q: id })}
      size="xs"
      variant="default"
      leftSection={<IconTimeline size={15} aria-hidden />}
    >
      Story
    </Button>
  );
}
