import { Badge } from '@mantine/core';
import { text } from '../../texts/shared.ts';

/** Marks the delivery of an event that only tried the endpoint: nothing happened. */
export const TestBadge = () => (
  <Badge variant="outline" color="gray" className="keep-size" title={text.delivery.testMeans}>
    {text.delivery.test}
  </Badge>
);
