import { declareProofs } from './declare-proofs.ts'

await declareProofs(1, 4)
