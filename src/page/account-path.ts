/** Where the pages of one's own account are. */

/** The path of the page, below the prefix of the site's paths. */
export const accountPath = '/accounts/me/'

/** The path of the page where a provider of the site is linked. */
export const linkPath = '/accounts/link/'
