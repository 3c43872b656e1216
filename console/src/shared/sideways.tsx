/** Wide content, which scrolls sideways on a narrow screen. */
import { ScrollArea, type ScrollAreaProps } from '@mantine/core'
import type { PropsWithChildren } from 'react'

interface SidewaysProps extends Pick<ScrollAreaProps, 'mah'> {
  label: string
}

/** Shows the content. The scrolling part can get the focus, so that keys can scroll it. */
export const Sideways = ({ label, children, ...props }: PropsWithChildren<SidewaysProps>) => (
  <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': label }} {...props}>
    {children}
  </ScrollArea>
)
