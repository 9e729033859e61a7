import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { linkTo } from '../lib/filters.ts';
import { text } from '../texts/shared.ts';
import { IconTimeline } from './icons/tabler.ts';

/** Opens the story that a call, an event or a delivery belongs to. */
export const StoryButton = ({ id }: { id: string }) => (
  <Button
    component={Link}
    href={linkTo('/story', { q: id })}
    size="xs"
    variant="default"
    leftSection={<IconTimeline size={15} aria-hidden />}
  >
    {text.parts.story}
  </Button>
);
