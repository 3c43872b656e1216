/** Joins the names of a person. */

/** Returns the first name and the last name together; '' if both are empty. */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`.trim()
