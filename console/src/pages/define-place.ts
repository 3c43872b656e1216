/**
 * The data about a page that is known before it is loaded: its address, its row in the navigation, and its
 * file.
 */
import type { ComponentType } from 'react'
import type { Label } from '../texts/define.ts'

/** A page of the console. */
export interface Place {
  /** The address below /console/, for example `$site/data/$app/$table`. `$site` is the slug of a site. */
  path: string
  /** Loads the page when it is opened, or when its link is hovered over. */
  load: () => Promise<{ Page: ComponentType }>
  /**
   * The row in the navigation of a site, and in the command palette. Omitted: other pages lead to this one.
   */
  navigation?: {
    label: Label
    /** The position: lower numbers come first. */
    order: number
    /** The first address of the page in a site, below /console/. */
    address: (site: string) => string
  }
}

/**
 * Declares a page. Its file is `place.ts` in its own folder below `pages`. It need not be registered
 * anywhere.
 */
export const definePlace = (place: Place): Place => place
