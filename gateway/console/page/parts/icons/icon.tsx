import type { SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  size?: number;
  /** The width of the lines, of a drawing that is 24 wide. */
  stroke?: number;
}

export type Icon = (props: IconProps) => React.JSX.Element;

/** Returns an icon that draws these paths, in the text's colour unless `color` says otherwise. */
export function icon(...paths: readonly string[]): Icon {
  return ({ size = 24, stroke = 2, color = 'currentColor', ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it stands beside its text, or its user gives it a role and a label.
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={color}
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
