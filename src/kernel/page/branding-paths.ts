/** The paths of a site's logo and colors, below the prefix of the site. */

/**
 * Returns the path of a logo by its hash. A different logo has a different path, so that browsers can cache
 * it.
 */
export const logoPath = (hash: string): string => `/accounts/logo/${hash}/`

/** Returns the path of the styles for a colour, such as `#0f766e`. */
export const stylePath = (color: string): string => `/accounts/colors/${color.slice(1)}/`
