/**
 * The data about a page that is known before it is loaded: its address, its row in the navigation, and its
 * file.
 */
import type { ComponentType } from 'react'
import type { Label } from '../texts/define.ts'

/** The parameters in the address of a page, for example `site` and `table`. */
type Parameters = Readonly<Record<string, string>>

/** Returns the title of a page. A string is the title in every language. */
type PageTitle = (parameters: Parameters) => Label | string

/** The row in the navigation of a site, and in the command palette. */
interface Navigation {
  label: Label
  /** The position: lower numbers come first. */
  order: number
  /** The first address of the page in a site, below /console/. */
  address: (site: string) => string
}

interface AnyPlace {
  /** The address below /console/, for example `$site/data/$app/$table`. `$site` is the slug of a site. */
  path: string
  /** Loads the page when it is opened, or when its link is hovered over. */
  load: () => Promise<{ Page: ComponentType }>
}

/** A page in the navigation, where its label is its title. */
interface PlaceInNavigation extends AnyPlace {
  navigation: Navigation
}

/** A page to which other pages lead. */
interface PlaceBehindOthers extends AnyPlace {
  navigation?: undefined
  title: PageTitle
}

/** A page of the console. */
export type Place = PlaceInNavigation | PlaceBehindOthers

/**
 * Declares a page. Its file is `place.ts` in its own folder below `pages`. It need not be registered
 * anywhere.
 */
export const definePlace = (place: Place): Place => place
