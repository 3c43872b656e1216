/** Something wide, which scrolls sideways where the screen is narrow. */
import { ScrollArea, type ScrollAreaProps } from '@mantine/core'
import type { PropsWithChildren } from 'react'

interface SidewaysProps extends Pick<ScrollAreaProps, 'mah'> {
  label: string
}

/** Shows it. The part that scrolls takes the focus, so that keys can scroll it. */
export const Sideways = ({ label, children, ...props }: PropsWithChildren<SidewaysProps>) => (
  <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }} {...props}>
    {children}
  </ScrollArea>
)
