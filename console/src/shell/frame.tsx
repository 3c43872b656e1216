/** The frame around every page: the header, the navigation of a site, and the content. */
import { AppShell, Burger, Button, Group, NavLink, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { places } from '../pages/places.ts'
import { meQuery } from '../session/queries.ts'
import { signedOut } from '../session/session.ts'
import { useLabel, useTexts } from '../texts/define.ts'
import { shellTexts } from '../texts/shell.ts'
import { AccountMenu } from './account-menu.tsx'
import { addressOf } from './address.ts'
import { TextLink } from './link.tsx'
import { openPalette, Palette } from './palette.tsx'
import { SignIn } from './sign-in.tsx'

const rows = places.flatMap(({ navigation }) => navigation ?? []).toSorted((a, b) => a.order - b.order)

/** Shows the page at the address in the frame, or asks the user to sign in. */
export function Frame() {
  const isOut = useSyncExternalStore(signedOut.subscribe, signedOut.read)
  return isOut ? <SignIn /> : <SignedIn />
}

function SignedIn() {
  const texts = useTexts(shellTexts)
  const { site } = useParams({ strict: false }) as { site?: string }
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  useQuery(meQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation of a phone
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 52 }}
      padding="md"
      {...(site ? { navbar: { width: 210, breakpoint: 'sm', collapsed: { mobile: !isOpen } } } : {})}
    >
      <a href="#content" className="skip">
        {texts.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            {site ? (
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={texts.openNavigation}
              />
            ) : null}
            <TextLink to="/" fw={700}>
              Tessera
            </TextLink>
            {site ? (
              <>
                <Text span className="muted" aria-hidden>
                  /
                </Text>
                <TextLink to={addressOf(site)} fw={600} truncate miw={0}>
                  {site}
                </TextLink>
              </>
            ) : null}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" size="compact-sm" onClick={openPalette} aria-keyshortcuts="Control+K">
              {texts.find}
            </Button>
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {site ? (
        <AppShell.Navbar p="xs" aria-label={texts.navigation}>
          <ScrollArea>
            <Navigation site={site} pathname={pathname} />
          </ScrollArea>
        </AppShell.Navbar>
      ) : null}
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Palette site={site} />
    </AppShell>
  )
}

/** The groups of the navigation: each has the pages from an `order` on. */
const parts = [
  { from: 0, title: 'data' },
  { from: 40, title: 'answers' },
  { from: 50, title: 'people' },
  { from: 60, title: 'automation' },
  { from: 80, title: 'site' },
] as const

/** One row for each page of a site, in groups. */
function Navigation({ site, pathname }: { site: string; pathname: string }) {
  const texts = useTexts(shellTexts)
  const label = useLabel()
  return parts.map(({ from, title }, index) => {
    const to = parts[index + 1]?.from ?? Number.POSITIVE_INFINITY
    return (
      <div key={title}>
        <Text size="xs" fw={600} className="muted" px="sm" pt={index === 0 ? 4 : 'sm'} pb={2}>
          {texts.parts[title]}
        </Text>
        {rows
          .filter(({ order }) => order >= from && order < to)
          .map((row) => {
            const address = row.address(site)
            const isHere = address === addressOf(site) ? pathname === address : pathname.startsWith(address)
            return (
              <NavLink
                key={address}
                label={label(row.label)}
                active={isHere}
                py={6}
                renderRoot={(link) => (
                  <Link
                    {...link}
                    to={address}
                    // Otherwise, the link to the first page of a site would be marked as open on all other
                    // pages.
                    activeOptions={{ exact: true }}
                    {...(isHere ? { 'aria-current': 'page' } : {})}
                  />
                )}
              />
            )
          })}
      </div>
    )
  })
}
