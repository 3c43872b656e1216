/** The data about a page before it is loaded: its address, its row in the navigation, and its file. */
import type { ComponentType } from 'react'
import type { Label } from '../texts/define.ts'

/** A page of the console. */
export interface Place {
  /** The address below /console/. `$site` is the slug of a site: `$site/data/$app/$table`. */
  path: string
  /** Loads the page. It is fetched when the page is opened, or its link is pointed at. */
  load: () => Promise<{ Page: ComponentType }>
  /** The row in the navigation of a site, and in the command palette. Omitted: other pages lead to this one. */
  navigation?: {
    label: Label
    /** Lower comes first. */
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
