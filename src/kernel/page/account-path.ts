/** The paths of the pages of the user's own account. */

/** The path of the page, below the prefix of the site's paths. */
export const accountPath = '/accounts/me/'

/** The path of the page on which a user links a provider of the site. */
export const linkPath = '/accounts/link/'
