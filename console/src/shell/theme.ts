/** Colors, fonts and sizes of the console. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** The theme. Its contrasts are sufficient in light and dark mode. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Code", Menlo, Consolas, monospace',
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
})

/** The colors whose darkest shades are too light for texts on white and on their own tints. */
const darker = { green: '#1b5e2a', yellow: '#7a4100', orange: '#8a3200' }

/** Colors of texts and borders on a light background, and of filled buttons. */
const onLight = Object.fromEntries(
  Object.entries(darker).flatMap(([name, shade]) => [
    [`--mantine-color-${name}-light-color`, shade],
    [`--mantine-color-${name}-outline`, shade],
  ]),
)

/** Mantine's own colors of errors, states and quiet texts have too little contrast. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': colors.red[9],
  },
  light: {
    ...onLight,
    '--mantine-color-red-outline': colors.red[9],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
  },
  dark: {
    // Sufficient contrast also on the background of a row under the pointer.
    '--mantine-color-anchor': colors.indigo[3],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
  },
})
