/** Starts the console. */
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './shell/shell.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './session/client.ts'
import { nonce } from './shell/nonce.ts'
import { router } from './shell/router.tsx'
import { theme, variables } from './shell/theme.ts'
import { LanguageProvider } from './texts/language.tsx'

// react-style-singleton, which Mantine uses, reads the nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
)
