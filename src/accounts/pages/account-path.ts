/** Where the page of one's own account is. */

/** The path of the page, below the prefix of the site's paths. */
export const accountPath = '/accounts/me/'
