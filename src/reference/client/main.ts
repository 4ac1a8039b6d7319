/** The reference client as a program of its own: a driver as reports/survey/drivers has them. */
import { runHere } from './run-here.ts'

process.exitCode = await runHere()
