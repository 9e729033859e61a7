import type { CSSProperties, ReactNode } from 'react';

interface TwoLinesProps {
  main: ReactNode;
  /** In small grey text. */
  more?: ReactNode;
  /** A tooltip. */
  title?: string | undefined;
}

/** A cell's main fact, and one below it. Each has one line. */
export const TwoLines = ({ main, more, title }: TwoLinesProps) => (
  <span className="two-lines" title={title}>
    <span>{main}</span>
    {more && <span>{more}</span>}
  </span>
);

const longestEnd = 20;

/** A URL in one line. What does not fit is left out in the middle, because both ends tell it from others. */
export function Url({ of: url }: { of: string }) {
  const slash = url.lastIndexOf('/');
  const at = url.length - slash > longestEnd ? url.length - longestEnd : slash;
  const end = url.slice(at);
  return (
    <span className="middle" title={url} style={{ '--end': `${end.length}ch` } as CSSProperties}>
      <span>{url.slice(0, at)}</span>
      {end}
    </span>
  );
}
