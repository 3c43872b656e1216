/** The path of the account page. */

/** The path of the page, below the prefix of the site's paths. */
export const accountPath = '/accounts/me/'
