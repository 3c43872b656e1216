/** Colors, fonts and sizes of the console. */
import { createTheme } from '@mantine/core'

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
