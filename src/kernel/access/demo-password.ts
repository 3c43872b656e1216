/** The password of the demo in the local stack. Some files use it, others reject it as a password. */

/** Everybody knows it, so no account of a deployed service may have it. */
export const demoPassword = 'Admin-demo-1'
