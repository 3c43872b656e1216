/** The password of the local stack's demo. Some files use it, others refuse it as a password. */

/** Everybody knows it, so no account of a deployed service may have it. */
export const demoPassword = 'Admin-demo-1'
