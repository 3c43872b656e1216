/** Says shortly that something was done. */
import { notifications } from '@mantine/notifications'

/** Shows a notice that goes away by itself, and that screen readers read out. */
export const say = (message: string): string => notifications.show({ message, color: 'green' })
