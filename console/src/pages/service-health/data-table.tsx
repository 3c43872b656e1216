/** A small table of figures. */
import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Sideways } from '../../shared/sideways.tsx'

interface DataTableProps {
  label: string
  heads: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** Shows the table. It scrolls sideways if it is too wide. */
export const DataTable = ({ label, heads, rows }: DataTableProps) => (
  <Sideways label={label}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {cells.map((cell, index) => (
              <Table.Td key={heads[index]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Sideways>
)
