/** The password of the local stack's demo, in one place for those who use it and those who refuse it. */

/** Everybody knows it, so no account of a deployed service may have it. */
export const demoPassword = 'Admin-demo-1'
