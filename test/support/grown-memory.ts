import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * The most memory, in MiB, that this thread's heap and its buffers had during the work beyond what they had before it: garbage of the
 * work counts until it is collected. Earlier garbage is collected first; unlike the memory of the process, which keeps what was
 * once collected, it is the same each time.
 */
export async function grownMib(work: () => unknown): Promise<number> {
  collectGarbage()
  const { used_heap_size, external_memory } = getHeapStatistics()
  const profiler = new GCProfiler()
  profiler.start()
  let collections: ReturnType<GCProfiler['stop']>['statistics'] = []
  try {
    await work()
  } finally {
    collections = profiler.stop().statistics
  }
  const after = getHeapStatistics()
  const during = collections.map(
    ({ beforeGC: { heapStatistics } }) => heapStatistics.usedHeapSize + heapStatistics.externalMemory,
  )
  const most = Math.max(after.used_heap_size + after.external_memory, ...during)
  return (most - used_heap_size - external_memory) / 1024 / 1024
}
