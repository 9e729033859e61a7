import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { text } from '../texts/shared.ts';

type Shades = readonly [string, string, string, string, string, string, string, string, string, string];
const shades = (...tuple: Shades): MantineColorsTuple => tuple;

/** Greys of text, borders and surfaces, the accent, and three colours with a meaning: teal succeeded, red failed, yellow waits. */
const colors = {
  gray: shades('#f8f9fa', '#f1f3f5', '#e6e9ed', '#d8dce2', '#c2c8d0', '#a1a9b4', '#78818d', '#565f6b', '#363d47', '#1b2027'),
  dark: shades('#e4e7eb', '#adb4be', '#8f97a3', '#5d6570', '#353b45', '#282d35', '#1e2229', '#14171b', '#0f1215', '#0a0c0e'),
  accent: shades('#eef6f8', '#d9eaef', '#b0d3dd', '#82bac9', '#58a3b7', '#38899f', '#217389', '#126076', '#0a5266', '#07414f'),
  teal: shades('#edf8f2', '#d5efe0', '#abdec3', '#7ccaa1', '#52b883', '#36a86e', '#26965e', '#1b7a4b', '#14623c', '#0e482c'),
  red: shades('#fdf1ef', '#fbdeda', '#f5bbb4', '#ee9389', '#e77165', '#dd5043', '#d0392b', '#b3261a', '#911c12', '#6d140c'),
  yellow: shades('#fdf6e8', '#f9e8c7', '#f2d28f', '#ebbb58', '#e3a534', '#d6921d', '#b97a10', '#8f5c08', '#714805', '#523403'),
};

const labelledCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': text.parts.close } } };
/** Not “Close”, which is the button of a dialog beside it. */
const labelledDismissButton = { defaultProps: { closeButtonProps: { 'aria-label': text.parts.dismiss } } };
/** A `header` in a dialog would be a second banner of the page. */
const noBanner = { defaultProps: { role: 'presentation' } };

export const theme = createTheme({
  colors,
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  // Chooses black or white text on a colour so that the contrast is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
  luminanceThreshold: 0.18,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.35' },
  headings: {
    fontWeight: '600',
    sizes: { h3: { fontSize: '20px', lineHeight: '1.35' }, h6: { fontSize: '13px', lineHeight: '1.45' } },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '16px' },
  components: {
    Modal: labelledCloseButton,
    Drawer: labelledCloseButton,
    Notification: labelledDismissButton,
    ModalHeader: noBanner,
    DrawerHeader: noBanner,
    Badge: { defaultProps: { variant: 'light', size: 'sm', radius: 'sm', tt: 'none' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'xs', fz: 'sm' } },
  },
});

const light = {
  '--mantine-color-text': 'var(--mantine-color-gray-9)',
  '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
  '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
  '--mantine-color-default-border': 'var(--mantine-color-gray-2)',
  '--mantine-color-default-color': 'var(--mantine-color-gray-9)',
  '--mantine-color-default-hover': 'var(--mantine-color-gray-0)',
  '--mantine-color-error': 'var(--mantine-color-red-7)',
  '--mantine-color-anchor': 'var(--mantine-color-accent-8)',
};
const dark = {
  '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
  '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
  '--mantine-color-default-border': 'var(--mantine-color-dark-5)',
  '--mantine-color-error': 'var(--mantine-color-red-4)',
  '--mantine-color-anchor': 'var(--mantine-color-accent-3)',
};
const meanings = ['accent', 'teal', 'red', 'yellow', 'gray'] as const;
const inks = (shade: Record<(typeof meanings)[number], number>) =>
  Object.fromEntries(
    meanings.map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-${shade[name]})`]),
  );

/** Text, borders and coloured text with enough contrast in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...light, ...inks({ accent: 8, teal: 8, red: 8, yellow: 8, gray: 8 }) },
  dark: { ...dark, ...inks({ accent: 3, teal: 3, red: 3, yellow: 3, gray: 3 }) },
});
