import type { Report } from './report.ts'

export const renderJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`
