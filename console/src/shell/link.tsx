/** Links to addresses of the console, in the form that other components accept. */
import { Anchor, type AnchorProps } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { PropsWithChildren } from 'react'

interface TextLinkProps extends AnchorProps {
  /** An address from `addressOf`. */
  to: string
  search?: LinkProps['search']
  tabIndex?: number
}

/** A link. Inside a text it is underlined: `underline="always"`. */
export const TextLink = ({ to, search, children, ...props }: PropsWithChildren<TextLinkProps>) => (
  <Anchor {...props} renderRoot={(anchor) => <Link {...anchor} to={to} {...(search ? { search } : {})} />}>
    {children}
  </Anchor>
)
