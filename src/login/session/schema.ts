import { z } from 'zod'
import { user } from '../../users/schema.ts'

export const sessionStarted = z.object({ user: user.describe('The account that signed in.') })
