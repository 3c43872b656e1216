/** Fails a test file that would run with the stopped clock of an earlier file of its process: nothing would end. */
import { setTimeout as real } from 'node:timers'

if (setTimeout !== real)
  throw new Error('An earlier file has replaced setTimeout. Its mock was restored too late.')
