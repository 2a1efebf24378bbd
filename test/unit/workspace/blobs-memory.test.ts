import { blobsContract } from '../../contract/blobs.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'

blobsContract('memory', () => new MemoryBlobs())
