/** The menu of the account: appearance, language, and signing out. */
import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { queryClient } from '../session/client.ts'
import { meQuery } from '../session/queries.ts'
import { endSession } from '../session/session.ts'
import { useTexts } from '../texts/define.ts'
import { LanguageContext } from '../texts/language.tsx'
import { shellTexts } from '../texts/shell.ts'

const languageNames = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const

export function AccountMenu() {
  const texts = useTexts(shellTexts)
  const { data: me } = useQuery(meQuery)
  const { language, choose } = use(LanguageContext)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = [
    ['light', texts.light],
    ['dark', texts.dark],
    ['auto', texts.system],
  ] as const

  async function leave(): Promise<void> {
    await endSession()
    queryClient.clear()
  }

  return (
    <Menu width={220} position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" size="compact-sm">
          {texts.account}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me ? <Menu.Label className="muted">{texts.signedInAs(me.username)}</Menu.Label> : null}
        <Menu.Label className="muted">{texts.appearance}</Menu.Label>
        {schemes.map(([scheme, label]) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            fw={colorScheme === scheme ? 700 : undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Label className="muted">{texts.language}</Menu.Label>
        {languageNames.map(([code, name]) => (
          <Menu.Item
            key={code}
            lang={code}
            onClick={() => choose(code)}
            fw={language === code ? 700 : undefined}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/docs/">
          {texts.documentation}
        </Menu.Item>
        <Menu.Item onClick={() => void leave()}>{texts.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
