import { sqlContract } from '../../contract/sql.ts'
import { NodeSql } from '../../support/sql-node.ts'

sqlContract('node:sqlite', (work) => work(new NodeSql()))
