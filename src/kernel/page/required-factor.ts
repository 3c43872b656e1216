/** The path of the page for users who lack the second factor that a site requires. */
import type { AppError } from '../errors.ts'

/** The path of the page of second factors, below the prefix of the site. */
export const factorsPath = '/accounts/second-factor/'

/** Returns the path of that page. The page then explains why it is shown. */
export const requiredFactorPath = (mount: string): string => `${mount}${factorsPath}?required=true`

/** Tells whether an error is `factorMissing`. */
export const isFactorMissing = ({ code }: AppError): boolean => code === 'second_factor_missing'
