export async function coverageCommand(_: unknown): Promise<number> { return 0 }
