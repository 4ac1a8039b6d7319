/** Before the package is packed: it ships what the last full proof run showed, so that run has to be of this very code. */
import { proofKey, readRecord } from '../prove/proof-record.ts'

const record = readRecord()
if (record?.key !== proofKey()) {
  const why =
    record === undefined ? 'there is no record of a proof run' : 'the record of the proofs is about other code'
  console.error(`Not packed: ${why} (reports/proofs.json). npm test writes it when every proof succeeds.`)
  process.exitCode = 1
}
