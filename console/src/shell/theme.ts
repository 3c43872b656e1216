/** Colors, fonts and sizes of the console. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** The theme. Its contrasts hold in light and dark. */
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

/** Mantine's own colors of errors and quiet texts have too little contrast. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-error': colors.red[9],
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
  },
  dark: {
    '--mantine-color-error': colors.red[4],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
  },
})
